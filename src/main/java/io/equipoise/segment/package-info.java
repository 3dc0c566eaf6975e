/**
 * The join of contexts and rewards: a segment as a pure state machine behind {@link
 * io.equipoise.segment.SegmentState}.
 *
 * <p>{@link io.equipoise.segment.SegmentMachine} takes one event or timer and writes what came of
 * it to an {@link io.equipoise.segment.OutputLog}; every change of a segment's state is one logged
 * record with the next {@code seq}, the end of an experiment's phase too. {@link
 * io.equipoise.segment.ReplayOracle} replays such a log. Where an answer can be seen before its
 * state is safe, {@link io.equipoise.segment.RecoveredDecisions} says what a context was answered
 * in a state that was lost; it is answered alike, and learned from as shown. {@link
 * io.equipoise.segment.SpecCompatibility} says how a model goes on under another spec, {@link
 * io.equipoise.segment.RetiredDefinitions} what is kept of earlier ones. Must not know Flink, Kafka
 * or a clock.
 */
@NullMarked
package io.equipoise.segment;

import org.jspecify.annotations.NullMarked;
