package io.equipoise.spec;

import org.jspecify.annotations.Nullable;

/**
 * What rewards may be.
 *
 * @param range holds every conditional mean of the reward, and clips certificates
 * @param bounded whether single rewards lie in the range too; one outside is then invalid
 * @param scale the sub-Gaussian scale of one reward given its cell; half the range by default where
 *     bounded
 * @param byDefault the reward of a decision that stayed silent; none if null
 */
public record RewardRule(
    Range range, boolean bounded, double scale, @Nullable DefaultReward byDefault) {}
