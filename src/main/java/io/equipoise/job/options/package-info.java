/**
 * The configuration of a deployment: option names with defaults and descriptions, their checks, and
 * what follows from them for Flink and Kafka.
 */
@NullMarked
package io.equipoise.job.options;

import org.jspecify.annotations.NullMarked;
