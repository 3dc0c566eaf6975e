/**
 * The experiments of Gao and Feng 2021 on best fair arms: published instances with a known truth, a
 * simulator that draws a phase's samples, and the command that holds errors against reference
 * tables.
 *
 * <p>Runs the batch search; must not know of Flink or Kafka.
 */
@NullMarked
package io.equipoise.lab.csr;

import org.jspecify.annotations.NullMarked;
