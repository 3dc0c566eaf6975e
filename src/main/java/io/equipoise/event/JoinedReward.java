package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Repeats the reward of a segment event as it was observed. {@code avro/SegmentEvent.avsc}
 * documents the meaning and unit of every component.
 *
 * @param value null if it only says what was shown
 */
public record JoinedReward(
    @Nullable String id, @Nullable Double value, @Nullable String shownArm, Source source) {}
