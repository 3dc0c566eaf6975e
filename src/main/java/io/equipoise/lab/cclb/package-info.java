/**
 * The experiments of Chen, Tian and Quinn 2025 (CCLB) with a known truth, and their command.
 *
 * <pre>
 *   Scm --instance--> Instance --next(stream)--> KnownRound
 *   Figures: Setting (policy, estimator, instance, tau, eps, ...) --Trial--> Totals at checkpoints
 *   CclbCommand: rows, checks against reference means, plots
 * </pre>
 *
 * <p>The paper prints no constants: the instances are ours. Must not know of Flink or Kafka.
 */
@NullMarked
package io.equipoise.lab.cclb;

import org.jspecify.annotations.NullMarked;
