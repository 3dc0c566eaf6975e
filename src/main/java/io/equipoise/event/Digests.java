package io.equipoise.event;

/** Digests of a segment's state, 32 hexadecimal digits; see {@code avro/SegmentMetrics.avsc}. */
public record Digests(String model, String pending) {}
