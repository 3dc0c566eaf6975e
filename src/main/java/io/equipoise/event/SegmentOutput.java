package io.equipoise.event;

/** A record that a segment writes to one of its output topics. */
public sealed interface SegmentOutput permits PlacedOutput, DeadLetter {}
