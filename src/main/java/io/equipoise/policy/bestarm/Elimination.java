package io.equipoise.policy.bestarm;

import io.equipoise.event.EliminationReason;

/**
 * Records one reason why an arm was dropped: its value was beyond a bound.
 *
 * @param value the end of the arm's interval that is nearest to the bound
 */
public record Elimination(int arm, EliminationReason reason, double value, double bound) {}
