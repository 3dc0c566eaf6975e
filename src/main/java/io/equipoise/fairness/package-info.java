/**
 * Counterfactual effects of sensitive attributes, verdicts on them, their running sums, and the
 * alarm for traffic that covers no counterfactual.
 *
 * <p>Says what an interval of an effect means at a threshold. Must not know where an interval comes
 * from (no learner, no policy), nor of Flink, Kafka, files or a clock. Sums are added in a fixed
 * order, so that two runs over the same findings agree bit for bit.
 */
@NullMarked
package io.equipoise.fairness;

import org.jspecify.annotations.NullMarked;
