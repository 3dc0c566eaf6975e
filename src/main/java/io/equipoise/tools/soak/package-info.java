/**
 * {@code equipoise soak}: checks that a job can run indefinitely. Runs broker, cluster and job in
 * this JVM under a load whose segments are always new and soon idle, and measures every few
 * seconds.
 *
 * <pre>
 *   SoakCluster: broker, job    SoakTraffic: contexts, rewards of new segments
 *        └───────────┬──────────────┘
 *                 Meter ──> ResourceSample, … ──> Trend of each quantity ──> SoakResult
 * </pre>
 */
@NullMarked
package io.equipoise.tools.soak;

import org.jspecify.annotations.NullMarked;
