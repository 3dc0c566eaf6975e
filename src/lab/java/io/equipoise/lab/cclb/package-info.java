/**
 * The experiments of Chen, Tian and Quinn 2025 (CCLB) with a known truth, and their command.
 *
 * <pre>
 *   Scm --instance--> CclbInstance --next(stream)--> KnownRound
 *   Figures: CclbSetting (policy, estimator, ...) --CclbTrial--> Totals at checkpoints
 *   CclbCommand: rows, checks against reference means, plots
 * </pre>
 *
 * <p>The paper prints no constants: the instances are ours. Does not depend on Flink or Kafka.
 */
@NullMarked
package io.equipoise.lab.cclb;

import org.jspecify.annotations.NullMarked;
