package io.equipoise.event;

/** Counts how often one arm was decided. */
public record ArmShare(String arm, long decisions) {}
