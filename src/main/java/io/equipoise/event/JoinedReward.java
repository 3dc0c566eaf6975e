package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * The reward of a segment event, as observed. {@code avro/SegmentEvent.avsc} documents the meaning
 * and unit of every component.
 */
public record JoinedReward(
    @Nullable String id, double value, @Nullable String shownArm, Source source) {}
