/**
 * The input and output records, and their encoding.
 *
 * <p>Bytes are Avro single-object encodings of the schemas in {@code avro/}. {@link
 * io.equipoise.event.InputDecoder} decodes any bytes on a topic into an {@link
 * io.equipoise.event.Input} or a {@link io.equipoise.event.DeadLetter} and never throws. {@link
 * io.equipoise.event.ValidWriterEpochs} determines which decisions are valid with at-least-once
 * delivery. The package depends on neither Flink nor Kafka nor a clock.
 */
@NullMarked
package io.equipoise.event;

import org.jspecify.annotations.NullMarked;
