package io.equipoise.policy;

/**
 * Pairs a causal bound with the interval [lower, upper] around E[R | x, a] that refutes it: the two
 * have no point in common.
 *
 * @param row of the {@link CausalBoundTable}
 * @param estimate of E[R | x, a]; a cell without an observation counts as the middle of the range
 */
public record Refutation(int row, int arm, double estimate, double lower, double upper) {}
