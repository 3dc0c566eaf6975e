/**
 * Fair causal contextual bandits on Apache Flink.
 *
 * <p>Packages know only packages of their own floor and of floors below, from bottom to top: {@code
 * event, client}; {@code causal, segmentspec, fairness}; {@code policy}; {@code segment, privacy};
 * {@code state}; {@code job}; {@code offline, audit}; {@code tools, cli}. {@code lab} is beside
 * {@code state} and what is above it. Non-null is the default everywhere.
 */
@NullMarked
package io.equipoise;

import org.jspecify.annotations.NullMarked;
