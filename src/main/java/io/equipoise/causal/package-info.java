/**
 * Causal graphs, separation in them, and exact probabilities of discrete variables.
 *
 * <p>A {@link io.equipoise.causal.CausalGraph} is read from dagitty's text or built; a {@link
 * io.equipoise.causal.Subgraph} is one with nodes left out and edges cut; {@link
 * io.equipoise.causal.Separation} and {@link io.equipoise.causal.Separators} ask what separates.
 * {@link io.equipoise.causal.SeparatingSets} answers "which variables shield the reward from the
 * features", {@link io.equipoise.causal.KnownDistributions} "how are the mediators distributed
 * under this context and arm". On this stand {@code estimand} (formulas and tables), {@code effect}
 * (what is identified, recovered, adjusted for) and {@code bounds} (what selected logs say when
 * nothing is).
 *
 * <p>Must not know of bandits, rewards' learners, fairness verdicts, Flink, Kafka, files or a
 * clock: everything here is a pure function of its arguments.
 */
@NullMarked
package io.equipoise.causal;

import org.jspecify.annotations.NullMarked;
