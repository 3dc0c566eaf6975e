package io.equipoise.event;

/** A change of a segment, by the writer epoch that made it. */
public record SegmentChange(int writerEpoch, long seq) {}
