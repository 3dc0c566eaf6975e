/**
 * Computes a set of causal bounds from a spec and a log.
 *
 * <p>{@link io.equipoise.offline.bounds.BoundsPlanRun} plans from the spec's graph what to count,
 * and {@code offline.count} counts it. {@link io.equipoise.offline.bounds.BoundsPlanRun#causal
 * bounds} converts the counts to one row for each arm and context, in the format of the streaming
 * job. {@link io.equipoise.offline.bounds.BoundsFile} writes them to a file. Depends neither on
 * Flink nor on the command line.
 */
@NullMarked
package io.equipoise.offline.bounds;

import org.jspecify.annotations.NullMarked;
