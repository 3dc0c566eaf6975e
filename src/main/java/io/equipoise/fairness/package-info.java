/**
 * Counterfactual effects of sensitive attributes, verdicts on them, their running sums, and the
 * overlap alarm.
 *
 * <p>Computes the meaning of an effect's interval at a threshold. Must not depend on the source of
 * an interval (learner, policy), nor on Flink, Kafka, files or a clock. Sums are added in a fixed
 * order, so two runs over the same findings agree bit for bit.
 */
@NullMarked
package io.equipoise.fairness;

import org.jspecify.annotations.NullMarked;
