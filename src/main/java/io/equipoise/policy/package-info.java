/**
 * Contextual bandits over a causal graph: cell statistics, confidence, indices, effects, choice.
 *
 * <pre>
 *   SegmentSpec --compile--> TabularBandit --choose(blocks, context, t, draw)--> Choice
 *                              |----audit(blocks, context, arm, t)------> AuditFinding
 *                              |----learn(blocks, context, arm, mediators, reward)
 *   Blocks: key -> CellBlock (n, mean, m2 of every cell w that shares the context part of W)
 * </pre>
 *
 * <p>Plain Java: no Flink, no Kafka, no clock, no state of a random generator. Summation order is
 * fixed and logarithms are {@link StrictMath}'s, so that a replay agrees bit for bit.
 */
@NullMarked
package io.equipoise.policy;

import org.jspecify.annotations.NullMarked;
