package io.equipoise.simulation;

/**
 * Holds the random numbers of one round, which do not depend on the policy.
 *
 * @param context levels of the features
 * @param uniforms one for each mediator, for the inverse of its cumulative distribution
 * @param noise added to the mean reward
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Round(int[] context, double[] uniforms, double noise) {}
