/**
 * For programs that show the arms. {@link io.equipoise.client.GatewayClient} asks over HTTP, and
 * {@link io.equipoise.remote.WholeAnswer} limits time and size of any answer. {@link
 * io.equipoise.client.Answers} reads the topic and selects the final decisions for both delivery
 * guarantees.
 *
 * <p>Depends on {@code kafka-clients} and Avro, not on the job.
 */
@NullMarked
package io.equipoise.client;

import org.jspecify.annotations.NullMarked;
