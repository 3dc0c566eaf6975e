package io.equipoise.audit.verify;

import io.equipoise.event.SegmentMetrics;
import java.util.Objects;

/**
 * What each snapshot of a segment says of the one before it, so that one that was removed is named
 * by the next. The last of a segment is named by none.
 *
 * <p>With at-least-once delivery an attempt may begin with a checkpoint that knows nothing of the
 * last snapshot on the log, which an earlier attempt wrote behind the very change where the
 * checkpoint stood; its next one names the one before that. Of others it cannot be ignorant: what
 * followed them would have been withdrawn. Where a build that named none wrote the one before, what
 * that one would have named is a guess, and may have been an earlier one.
 */
final class SnapshotChain {
  private long before;
  private long last;
  private int attempt;

  /** Whether the snapshot that {@link #before} was taken from named none. */
  private boolean isGuess;

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
   * @param attempt the latest that wrote one behind the savepoint's last change
   */
  void begin(long before, int attempt) {
    this.before = before;
    this.attempt = attempt;
    isGuess = false;
  }

  /**
   * Takes the next snapshot, or one of the same seq by another attempt.
   *
   * @param expected seq of the one before it, by what is on the log; of several of one seq it
   *     counts for the first
   */
  Link next(SegmentMetrics told, long expected) {
    boolean isAgain = told.seq() == last;
    boolean isOfAnEarlierState = attempt < told.attempt() && isPrevious(told, before);
    long due = isAgain || isOfAnEarlierState ? before : expected;
    Long previous = told.previousSeq();
    boolean isMissing = isBetween(told, due);
    boolean isWhole =
        previous == null || previous == due || (isGuess && previous >= 0 && previous < due);
    before = previous != null && (isMissing || isWhole) ? previous : due;
    isGuess = previous == null;
    attempt = isAgain ? Math.max(attempt, told.attempt()) : told.attempt();
    last = told.seq();
    return isWhole ? Link.WHOLE : isMissing ? Link.MISSING : Link.WRONG;
  }

  private static boolean isPrevious(SegmentMetrics told, long seq) {
    return Objects.equals(told.previousSeq(), seq);
  }

  private static boolean isBetween(SegmentMetrics told, long from) {
    Long previous = told.previousSeq();
    return previous != null && previous > from && previous < told.seq();
  }
}
