/**
 * Simulated environments with a known truth, and the papers' experiments on them.
 *
 * <p>Runs compiled bandits outside of Flink: one trial is a sequence of rounds drawn beforehand,
 * the same for every policy. Must not know of Flink or Kafka.
 */
@NullMarked
package io.equipoise.lab;

import org.jspecify.annotations.NullMarked;
