package io.equipoise.event;

/** Marks a record that a segment writes to one of its output topics. */
public sealed interface SegmentOutput permits PlacedOutput, DeadLetter {}
