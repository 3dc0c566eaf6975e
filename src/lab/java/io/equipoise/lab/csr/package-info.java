/**
 * The experiments of Gao and Feng 2021 on best fair arms: instances with a known truth, a simulator
 * that draws the samples of a phase, and the command that compares errors with reference tables.
 *
 * <p>Runs the batch search. Does not depend on Flink or Kafka.
 */
@NullMarked
package io.equipoise.lab.csr;

import org.jspecify.annotations.NullMarked;
