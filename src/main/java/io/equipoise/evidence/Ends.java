package io.equipoise.evidence;

/** The ends of an interval. */
public record Ends(double low, double high) {}
