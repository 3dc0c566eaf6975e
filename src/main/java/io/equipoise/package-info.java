/**
 * Fair causal contextual bandits on Apache Flink.
 *
 * <p>Packages point down only: {@code job, local, lab} use {@code state, join, event}; those use
 * {@code bandit} and {@code fairness}; those use {@code causal} and {@code spec}. Non-null is the
 * default everywhere.
 */
@NullMarked
package io.equipoise;

import org.jspecify.annotations.NullMarked;
