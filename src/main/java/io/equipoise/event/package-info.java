/**
 * What flows: the input and output records, and how they become bytes and are read back.
 *
 * <p>Bytes are Avro single-object encodings of the schemas in {@code avro/}. {@link
 * io.equipoise.event.InputDecoder} turns anything that a topic may hold into an {@link
 * io.equipoise.event.Input} or a {@link io.equipoise.event.DeadLetter} and never throws. Which
 * decisions are valid where delivery is at-least-once says {@link
 * io.equipoise.event.ValidWriterEpochs}. The package knows neither Flink nor Kafka nor a clock.
 */
@NullMarked
package io.equipoise.event;

import org.jspecify.annotations.NullMarked;
