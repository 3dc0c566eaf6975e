/**
 * {@code equipoise soak}: whether a job can run for ever. Broker, cluster and job in this JVM under
 * a load whose segments are new for ever and soon idle, measured every few seconds.
 *
 * <pre>
 *   SoakCluster: broker, job    SoakTraffic: contexts, rewards of new segments
 *        └───────────┬──────────────┘
 *                 Meter ──> Sample, Sample, … ──> Trend of each quantity ──> SoakResult
 * </pre>
 */
@NullMarked
package io.equipoise.tools.soak;

import org.jspecify.annotations.NullMarked;
