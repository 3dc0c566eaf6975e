/**
 * Logistic rewards under counterfactual fairness: model, confidence set, policies, coverage.
 *
 * <pre>
 *   LogisticModel (StreamingModel) --estimate()--> Estimate: mean, effect, interval
 *        ^ learn(x, y)                                              |
 *        |                        LogisticProspects <--------------+   (one request)
 *   LogisticState  <--commit--  LogisticPolicy --choose(state, request, start)--> LogisticChoice
 *   (model, memory)                   |---audit(state, request, choice)---------> DecisionAudit
 *
 *   LogisticRound: one request before one state, from any start; LogisticEffects sizes its effects when
 *   asked, by bounds where these tell enough (EffectEllipse); Point is a vector as an estimate sees it
 *
 *   SegmentSpec --LogisticCompilation--> LogisticBandit; Request --RequestEncoder--> its request
 *                                                Blocks: 0 StreamingModel, 1 LogisticMemory,
 *                                                2 StreamingModel of complete rows, 3 ContrastBlock,
 *                                                2^32 + position: PairsBlock of an arm
 *
 *   OddsBounds bound effects by differences of log odds:
 *     OddsContrasts: one interval for each difference, which cuts that of the ellipsoid
 *     PairBounds: PairsPlan (strata, shares of delta) and PairsBlock (a PairTest for two levels)
 * </pre>
 *
 * <p>Rules that do not depend on the model live in {@code constraint}. Policies are immutable and
 * compute on state they are handed; a choice is a function of state, request and start index. Must
 * not know of Flink, Kafka or a clock; logarithms and exponentials are {@link StrictMath}'s.
 */
@NullMarked
package io.equipoise.policy.logistic;

import org.jspecify.annotations.NullMarked;
