/**
 * For programs that show the arms: {@link io.equipoise.client.Answers} reads decisions by the rule
 * that makes them final, whichever way they are delivered.
 *
 * <p>Needs {@code kafka-clients} and Avro; knows nothing of the job.
 */
@NullMarked
package io.equipoise.client;

import org.jspecify.annotations.NullMarked;
