package io.equipoise.segmentspec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How rewards find their decisions.
 *
 * @param rewardWindow how long after its context a reward still counts
 * @param earlyRewardTimeout how long a reward waits for its context
 * @param dedupWindow how long a settled decision is remembered, to know repetitions
 * @param learn when the only reward is learned; {@code WINDOW_CLOSE} where several are aggregated
 * @param maxPending bounds the pending decisions of the segment
 * @param fallbackArm answers contexts that cannot be used; no arm if null
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
  /** What {@code max-pending} may be at most. */
  public static final long MOST_ENTRIES = 1_000_000_000;

  /** Says whether a reward is learned when it comes, or collected until the window closes. */
  public boolean isLearnedAtOnce() {
    return aggregate == Aggregate.FIRST && learn == Learn.ON_ARRIVAL;
  }
}
