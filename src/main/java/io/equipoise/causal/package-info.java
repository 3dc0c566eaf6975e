/**
 * Causal graphs, separation in them, and exact probabilities of discrete variables.
 *
 * <p>A {@link io.equipoise.causal.CausalGraph} is parsed from dagitty's text or built; a {@link
 * io.equipoise.causal.Subgraph} is a graph without some nodes and edges; {@link
 * io.equipoise.causal.Separation} and {@link io.equipoise.causal.Separators} test and find
 * separators. {@link io.equipoise.causal.SeparatingSets} finds the variables that separate the
 * reward from the features. {@link io.equipoise.causal.KnownDistributions} computes the
 * distribution of the mediators given context and arm. The sub-packages are {@code estimand}
 * (formulas and tables), {@code effect} (identification, recovery, adjustment) and {@code bounds}
 * (partial identification from selected logs).
 *
 * <p>Must not depend on policies, reward models, fairness verdicts, Flink, Kafka, files or a clock:
 * everything here is a pure function of its arguments.
 */
@NullMarked
package io.equipoise.causal;

import org.jspecify.annotations.NullMarked;
