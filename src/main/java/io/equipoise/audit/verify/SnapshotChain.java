package io.equipoise.audit.verify;

import io.equipoise.event.SegmentMetrics;

/**
 * What each snapshot of a segment says of the one before it, so that one that was removed is named
 * by the next. The last of a segment is named by none.
 *
 * <p>With at-least-once delivery an attempt may begin with a checkpoint that knows nothing of the
 * last snapshot on the log, which an earlier attempt wrote behind the very change where the
 * checkpoint stood; its next one names the one before that. Of others it cannot be ignorant: what
 * followed them would have been withdrawn.
 */
final class SnapshotChain {
  private long before;
  private long last;
  private int writerEpoch;

  /** How a snapshot goes on from the one before it. */
  enum Link {
    WHOLE,
    /** It names one that is not there. */
    MISSING,
    /** It passes over one that its writer knew of, or names what cannot be. */
    WRONG
  }

  /**
   * Begins behind what a savepoint has.
   *
   * @param before seq of the snapshot that it knows
   * @param writerEpoch the latest that wrote one behind the savepoint's last change
   */
  void begin(long before, int writerEpoch) {
    this.before = before;
    this.writerEpoch = writerEpoch;
  }

  /**
   * Takes the next snapshot, or one of the same seq by another attempt.
   *
   * @param expected seq of the one before it, by what is on the log; of several of one seq it
   *     counts for the first
   */
  Link next(SegmentMetrics told, long expected) {
    boolean isAgain = told.seq() == last;
    boolean isOfAnEarlierState = writerEpoch < told.writerEpoch() && told.previousSeq() == before;
    long due = isAgain || isOfAnEarlierState ? before : expected;
    boolean isWhole = told.previousSeq() == due;
    boolean isMissing = told.previousSeq() > due && told.previousSeq() < told.seq();
    before = isMissing ? told.previousSeq() : due;
    writerEpoch = isAgain ? Math.max(writerEpoch, told.writerEpoch()) : told.writerEpoch();
    last = told.seq();
    return isWhole ? Link.WHOLE : isMissing ? Link.MISSING : Link.WRONG;
  }
}
