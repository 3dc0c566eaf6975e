/**
 * The fairness constraints of all policies: hard constraint, dual penalty on the estimate or the
 * upper end, shrinking screen, and forced exploration. They know no reward model.
 *
 * <pre>
 *   Prospects (any model)   mean, optimistic value, size of every effect with its interval,
 *        |                or bounds of it (EffectBounds) where the search for it is dear
 *        |
 *   HardConstraint | Lagrangian | ShrinkingScreen --select(prospects, phi, t, start)--> Selection
 *        |                                |
 *   DualPenalty --next(phi)--> DualBlock  ForcedExploration --plan--> NeedBlock
 * </pre>
 *
 * <p>For an effect of estimated size e in [low, high], a limit tau - eps, and the t-th decision:
 *
 * <pre>
 *   hard         high &lt;= tau - eps                           Huang et al. 2022, Algorithm 2
 *   dual         score - phi (e - tau)                        Chen, Tian and Quinn 2025, Algorithm 1
 *                phi + step(t) (e - tau + eps) in [0, rho]
 *   dual-upper   the same with high in the place of e         below
 *   screen       high - (tau - eps) &lt;= width t^(-1/3)          below
 *                and low &lt;= tau - eps, then as dual
 * </pre>
 *
 * <p>The rules and what holds of them: docs/math/logistic.md#rules-of-choice. Who uses them:
 * CellRound, EffectRule over ridge regressions, LogisticRound. The protocol of a decision, from
 * scores to what is stored, is {@link io.equipoise.policy.constraint.DecisionRound}. Constants and
 * tolerances: {@link io.equipoise.policy.constraint.DualPenalty#CAP}, {@link
 * io.equipoise.policy.constraint.ShrinkingScreen#WIDTH}, {@link
 * io.equipoise.policy.constraint.Scan#TIE} and {@link
 * io.equipoise.policy.constraint.Scan#STRICTLY}.
 *
 * <p>Rules are immutable and compute on state they are handed; what changes lies in blocks with
 * canonical bytes. Must not know of a reward model, Flink, Kafka or a clock.
 */
@NullMarked
package io.equipoise.policy.constraint;

import org.jspecify.annotations.NullMarked;
