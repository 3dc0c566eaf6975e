/**
 * The configuration of a deployment: options with defaults and descriptions, their validation, and
 * the resulting Flink and Kafka settings.
 */
@NullMarked
package io.equipoise.job.options;

import org.jspecify.annotations.NullMarked;
