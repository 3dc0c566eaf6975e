package io.equipoise.policy.logistic;

import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.segmentspec.Arms;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the effects of one request's candidates by matched pairs. An arm that the spec does not
 * have has none, and its effects may be of any size. Valid until the next reward.
 *
 * @param first how many arms there were at first
 * @param blocks the block of each arm by its position; null before its first reward
 */
record PairBounds(
    PairsPlan plan, Arms arms, int first, Request asked, IntFunction<@Nullable PairsBlock> blocks)
    implements OddsBounds {
  @Override
  public @Nullable Bound of(
      LogisticRequest request, int candidate, int constraint, int alternative) {
    Candidate arm = asked.candidates().get(candidate);
    boolean isKept = arm.position() >= 0 && arms.indexOf(arm.id()) >= 0;
    PairsBlock block = isKept ? blocks.apply(arm.position()) : null;
    double share = DeltaShares.share(Math.max(0, arm.position()), first);
    if (block != null) {
      plan.adopt(block, share);
    }
    return plan.bound(
        block,
        share,
        constraint,
        request.worlds().get(constraint).get(alternative),
        request.alternatives().get(constraint).get(alternative).counterfactual());
  }
}
