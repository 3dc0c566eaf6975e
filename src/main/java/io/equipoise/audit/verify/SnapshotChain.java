package io.equipoise.audit.verify;

import io.equipoise.event.SegmentMetrics;

/**
 * Checks the link of each snapshot of a segment to the previous one, so that a removed snapshot is
 * detected by the next. The removal of the last one is not detected.
 *
 * <p>With at-least-once delivery, a writer epoch may start from a checkpoint without the last
 * snapshot on the log. That happens if an earlier epoch wrote the snapshot after the last change
 * that the checkpoint contains. Its next snapshot then names the one before. Any other missing
 * snapshot would be followed by withdrawn changes.
 */
final class SnapshotChain {
  private long before;
  private long last;
  private int writerEpoch;

  /** Classifies the link of a snapshot to the one before it. */
  enum Link {
    WHOLE,
    /** It names a snapshot that is not on the log. */
    MISSING,
    /** It skips a snapshot that its writer knew, or names an impossible seq. */
    WRONG
  }

  /**
   * Starts after a savepoint.
   *
   * @param before seq of the last snapshot in the savepoint
   * @param writerEpoch the latest that wrote a snapshot after the savepoint's last change
   */
  void begin(long before, int writerEpoch) {
    this.before = before;
    this.writerEpoch = writerEpoch;
  }

  /**
   * Takes the next snapshot, or one of the same seq by another writer epoch.
   *
   * @param expected seq of the previous snapshot on the log; among several of one seq, of the first
   */
  Link next(SegmentMetrics logged, long expected) {
    boolean isAgain = logged.seq() == last;
    boolean isOfAnEarlierState =
        writerEpoch < logged.writerEpoch() && logged.previousSeq() == before;
    long due = isAgain || isOfAnEarlierState ? before : expected;
    boolean isWhole = logged.previousSeq() == due;
    boolean isMissing = logged.previousSeq() > due && logged.previousSeq() < logged.seq();
    before = isMissing ? logged.previousSeq() : due;
    writerEpoch = isAgain ? Math.max(writerEpoch, logged.writerEpoch()) : logged.writerEpoch();
    last = logged.seq();
    return isWhole ? Link.WHOLE : isMissing ? Link.MISSING : Link.WRONG;
  }
}
