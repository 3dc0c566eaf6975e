package io.equipoise.segmentspec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sets how rewards find their decisions.
 *
 * @param rewardWindow how long after its context a reward still counts
 * @param earlyRewardTimeout how long a reward waits for its context
 * @param dedupWindow how long an ended decision is remembered to recognize repetitions
 * @param learn when the only reward is learned; {@link Learn#ON_WINDOW_CLOSE} if several are
 *     aggregated
 * @param maxPending bounds the pending decisions of the segment
 * @param fallbackArm the arm for contexts that cannot be used; no arm if null
 */
public record JoinSpec(
    Duration rewardWindow,
    Duration earlyRewardTimeout,
    Duration dedupWindow,
    Aggregate aggregate,
    Learn learn,
    int maxPending,
    ShownRule shown,
    @Nullable String fallbackArm) {
  /** The largest value of {@code max-pending}. */
  public static final long MOST_ENTRIES = 1_000_000_000;

  /** Returns whether a reward is learned when it arrives, instead of at the end of the window. */
  public boolean isLearnedAtOnce() {
    return aggregate == Aggregate.FIRST && learn == Learn.ON_ARRIVAL;
  }
}
