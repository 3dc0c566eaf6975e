/**
 * What the verbs of the command line have in common, so that an option means the same everywhere.
 *
 * <p>Must not know of any verb, nor of Flink or Kafka.
 */
@NullMarked
package io.equipoise.cli;

import org.jspecify.annotations.NullMarked;
