package io.equipoise.bandit;

/**
 * The contexts that one effect compares.
 *
 * @param attribute place of the sensitive attribute, or the number of a set of them
 * @param factual the context with the attribute at its factual value
 * @param others the contexts with the attribute at the counterfactual value: one where no feature
 *     follows it, else one for each joint value b of its descendants B (Huang et al. 2022, Theorem
 *     2)
 * @param isIdentified whether no feature that matters follows the attribute (eq. 8)
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Comparison(
    int attribute,
    int factualLevel,
    int counterfactualLevel,
    int[] factual,
    int[][] others,
    boolean isIdentified) {}
