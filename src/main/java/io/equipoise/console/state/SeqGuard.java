package io.equipoise.console.state;

/**
 * Leaves out records of one segment and topic that at-least-once delivery repeats. A later writer
 * epoch repeats changes from an earlier {@code seq} on; a change counts once, as it was written
 * first. Records of exactly-once delivery (epoch 0) all count.
 */
final class SeqGuard {
  private long greatest;
  private int epochOfGreatest;

  /** Returns whether the record is new. Several records of one change may have the same seq. */
  boolean isNew(int writerEpoch, long seq) {
    if (writerEpoch == 0 || seq > greatest) {
      greatest = Math.max(greatest, seq);
      epochOfGreatest = writerEpoch;
      return true;
    }
    return seq == greatest && writerEpoch == epochOfGreatest;
  }
}
