package io.equipoise.spec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How rewards find their decisions.
 *
 * @param window how long after its context a reward still counts
 * @param earlyHorizon how long a reward waits for its context
 * @param dedupHorizon how long a settled decision is remembered, to know repetitions
 * @param release when the only reward is learnt; {@code WINDOW_CLOSE} where several are aggregated
 * @param maxEntries bounds the pending decisions of the segment
 * @param fallbackArm answers contexts that cannot be used; no arm if null
 */
public record JoinSpec(
    Duration window,
    Duration earlyHorizon,
    Duration dedupHorizon,
    Aggregate aggregate,
    Release release,
    int maxEntries,
    Shown shown,
    @Nullable String fallbackArm) {}
