/**
 * A segment spec: which variables a segment has, how they cause each other, which arms there are,
 * and how to choose, audit and join.
 *
 * <p>YAML text goes in at {@link io.equipoise.segmentspec.SpecParser}; either a validated,
 * immutable {@link io.equipoise.segmentspec.SegmentSpec} comes out or every fault of the text at
 * once. {@link io.equipoise.segmentspec.ContextEncoder} then turns a person's attributes into level
 * indices. This package may use {@code io.equipoise.causal}; it must not know bandits, Flink, Kafka
 * or a clock.
 */
@NullMarked
package io.equipoise.segmentspec;

import org.jspecify.annotations.NullMarked;
