package io.equipoise.lab;

/**
 * What chance contributes to one round, whatever the policy does.
 *
 * @param context levels of the features
 * @param uniforms one for each mediator, for the inverse of its cumulative distribution
 * @param noise added to the mean reward
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Round(int[] context, double[] uniforms, double noise) {}
