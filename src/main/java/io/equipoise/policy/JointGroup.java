package io.equipoise.policy;

/**
 * Counts the people who share the levels of several attributes that a policy balances together.
 *
 * @param attributes their names, joined by *
 * @param levels a level of each, joined by *
 * @param rewards how many were learned of, rounded up where the policy forgets: whoever is in the
 *     mean counts
 * @param weight of their rewards in the mean: their number, or less where the policy forgets
 * @param mean of these rewards, 0 without any
 */
public record JointGroup(
    String attributes, String levels, long rewards, double weight, double mean) {}
