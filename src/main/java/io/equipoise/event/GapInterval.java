package io.equipoise.event;

/** Bounds the mean of one group minus that of all others, in units of the reward. */
public record GapInterval(String attribute, String level, double low, double high) {}
