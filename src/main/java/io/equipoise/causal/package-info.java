/**
 * Causal graphs, separation in them, and exact probabilities of discrete variables.
 *
 * <p>Answers "which variables shield the reward from the features" and "how are the mediators
 * distributed under this context and arm". Must not know of bandits, rewards' learners, fairness
 * verdicts, Flink, Kafka, files or a clock: everything here is a pure function of its arguments.
 */
@NullMarked
package io.equipoise.causal;

import org.jspecify.annotations.NullMarked;
