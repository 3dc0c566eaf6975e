package io.equipoise.policy.allocation;

import io.equipoise.event.DecisionReason;

/**
 * What OAM chose.
 *
 * @param reason FORCED where the estimates had no say: its row was outside of the span, or the arm
 *     was hardly ever pulled; EXPLOIT where the arm has the best estimate; else EXPLORE
 * @param mean theta'x; 0 outside of the span of what was pulled
 * @param index of LinUCB, clipped, where that chose; else the mean, clipped
 */
public record OamChoice(int arm, DecisionReason reason, double mean, double index) {}
