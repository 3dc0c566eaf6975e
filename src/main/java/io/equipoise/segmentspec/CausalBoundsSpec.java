package io.equipoise.segmentspec;

/**
 * Names the causal bounds that the index of a policy is clipped into.
 *
 * @param name of the sets on the causal-bounds topic; the newest one for the spec's graph is
 *     adopted
 * @param refuted the treatment of a bound that the observed rewards refute
 * @param delta the probability, over all cells and rounds of a segment together, that a bound that
 *     holds is called refuted
 */
public record CausalBoundsSpec(String name, OnRefutation refuted, double delta) {}
