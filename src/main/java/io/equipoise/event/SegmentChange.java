package io.equipoise.event;

/** Identifies a change of a segment, by the writer epoch that made it. */
public record SegmentChange(int writerEpoch, long seq) {}
