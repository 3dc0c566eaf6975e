package io.equipoise.event;

/** Holds the mean reward of one group, in units of the reward. */
public record GroupMean(String attribute, String level, long rewards, double mean) {}
