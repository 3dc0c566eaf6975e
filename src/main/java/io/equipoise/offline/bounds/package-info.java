/**
 * From a spec and a log to a set of causal bounds.
 *
 * <p>{@link io.equipoise.offline.bounds.BoundsPlanRun} plans from the spec's graph what to count,
 * {@code offline.count} counts it, and {@link io.equipoise.offline.bounds.BoundsPlanRun#causal
 * bounds} turns the counts into one row for each arm and context, as the streaming job takes them
 * up. {@link io.equipoise.offline.bounds.BoundsFile} writes them down. Knows neither Flink nor the
 * command line.
 */
@NullMarked
package io.equipoise.offline.bounds;

import org.jspecify.annotations.NullMarked;
