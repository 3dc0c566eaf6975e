/**
 * Linear reward models and the policies that are built on them: LinUCB, Fair-LinUCB and their kin.
 *
 * <pre>
 *   RidgeModel --learn--> RidgeArm (one an arm, or one for all)      GroupMeans (one an arm, totals)
 *       |  mean, width, effect                                            |  F_a, the group behind
 *       v                                                                 v
 *   LinearPolicy = index (UCB, mean, posterior draw; clipped into [L, U])
 *                  + fairness (none, group balance, hard constraint, dual penalty)
 *                  + argmax, or argmax inside explore
 *       |--choose(LinearBlocks, Candidates, Draw)--> LinearRound (place, scores, propensities)
 *       |--learn(LinearBlocks, arm, features, group, reward, round)--> Admission
 * </pre>
 *
 * <p>All that is learned lives in blocks with canonical bytes, a deep copy and a merge; models and
 * policies are immutable. A choice is a function of blocks, candidates and draw. Scratch belongs to
 * the caller, so that a round allocates nothing. Sums have a fixed order: {@link
 * io.equipoise.policy.linear.SymmetricMatrix} says which. Plain Java and EJML: no Flink, no Kafka,
 * no clock.
 */
@NullMarked
package io.equipoise.policy.linear;

import org.jspecify.annotations.NullMarked;
