/**
 * Fairness constraints that do not know the reward model: dual penalty, hard constraint, shrinking
 * screen, and forced exploration.
 *
 * <pre>
 *   Prospects (any model)   mean, optimistic value, size of every effect with its interval,
 *        |                or bounds of it (EffectBounds) where the search for it is dear
 *        |
 *   Lagrangian | HardConstraint | ShrinkingScreen --select(prospects, phi, t, start)--> Selection
 *        |                                |
 *   DualPenalty --next(phi)--> DualBlock  ForcedExploration --plan--> NeedBlock
 * </pre>
 *
 * <p>Rules are immutable and compute on state they are handed; what changes lies in blocks with
 * canonical bytes. Must not know of a reward model, Flink, Kafka or a clock.
 */
@NullMarked
package io.equipoise.bandit.constraint;

import org.jspecify.annotations.NullMarked;
