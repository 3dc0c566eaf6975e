/**
 * The join of contexts and rewards: a segment as a pure state machine.
 *
 * <p>{@link io.equipoise.segment.SegmentMachine} takes one event or timer. {@link
 * io.equipoise.segment.SegmentSession} holds the handlers of that event. They change the state
 * through {@link io.equipoise.segment.StateTransitions}, and every change is one logged record with
 * the next {@code seq}, also the end of an experiment's phase. Must not know Flink, Kafka or a
 * clock.
 *
 * <p>Arrows: {@code state <- log <- upgrade <- segment <- replay}.
 */
@NullMarked
package io.equipoise.segment;

import org.jspecify.annotations.NullMarked;
