package io.equipoise.policy;

/**
 * Names the arm with the best index, where that is better than the chosen one's and was left
 * because it is not certified.
 *
 * @param arm its place among the candidates
 * @param index what it might have paid, in units of the reward, before any charge for its effect:
 *     optimistic, but for epsilon-greedy (the mean), lin-ts (the posterior draw) and ofulog, cclb
 *     and eps-cclb (the mean at the parameter that is optimistic for the chosen candidate)
 */
public record ExcludedArm(int arm, double index) {}
