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
    @Nullable String fallbackArm) {}
