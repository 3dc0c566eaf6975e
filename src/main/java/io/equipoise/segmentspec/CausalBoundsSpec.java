package io.equipoise.segmentspec;

/**
 * Which causal bounds the index of a policy is clipped into.
 *
 * @param name of the sets on the causal-bounds topic; the newest one for the spec's graph is taken
 *     up
 * @param refuted what becomes of a bound that the rewards observed refute
 * @param delta the probability, over all cells and rounds of a segment together, that a bound that
 *     holds is called refuted
 */
public record CausalBoundsSpec(String name, OnRefutation refuted, double delta) {}
