package io.equipoise.policy;

import java.util.Map;

/**
 * Bounds the mean reward of one arm, known before the first decision.
 *
 * @param context levels of features by name; the bound is claimed for every context that has them
 * @param isDerived whether the bound follows from the graph and data, not from a person's word:
 *     then the features it leaves out must not matter to the reward under the graph
 */
public record CausalBoundRow(
    String arm, Map<String, String> context, double lower, double upper, boolean isDerived) {}
