/**
 * Shared parts of the command line, so that an option means the same in every command.
 *
 * <p>Must not depend on any command, nor on Flink or Kafka.
 */
@NullMarked
package io.equipoise.cli;

import org.jspecify.annotations.NullMarked;
