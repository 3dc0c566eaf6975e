package io.equipoise.policy.linear;

import io.equipoise.segmentspec.Forget;

/** Computes the group-balance term of Fair-LinUCB for the candidates of a round. Immutable. */
final class GroupBalancer {
  private final LinearFairness.GroupBalance part;
  private final SensitiveGroups groups;

  GroupBalancer(LinearFairness.GroupBalance part) {
    this.part = part;
    groups = part.groups();
  }

  /**
   * Adds (alpha w_min / 2) (F_a + 1) gamma to each score (eqs. 6 to 8): w_min is one number for all
   * candidates, and F_a &gt; 0 where the arm favors the side that is behind.
   */
  void add(LinearRound out) {
    LinearBlocks blocks = out.blocks();
    double ahead = ahead(blocks);
    out.gamma = gamma(blocks.state());
    if (out.gamma == 0) {
      return;
    }
    int narrowest = 0;
    for (int place = 1; place < out.size; place++) {
      narrowest = out.width[place] < out.width[narrowest] ? place : narrowest;
    }
    double alpha = out.beta[narrowest];
    double scale = alpha * out.width[narrowest] / 2;
    GroupMeans totals = blocks.groups(LinearBlocks.SHARED);
    for (int place = 0; place < out.size; place++) {
      double apart = apart(blocks.groups(out.candidates().arm(place)), totals);
      double f = Math.max(-1, Math.min(1, -ahead * apart));
      out.score[place] += scale * (f + 1) * out.gamma;
    }
  }

  private double gamma(PolicyState state) {
    return part.gamma() instanceof Gamma.Fixed fixed ? fixed.gamma() : AdaptiveGamma.gamma(state);
  }

  /** Returns 1 where the privileged side is ahead, -1 where the protected one is, else 0. */
  private double ahead(LinearBlocks blocks) {
    if (part.gamma() instanceof Gamma.Adaptive) {
      return Math.signum(blocks.state().debt);
    }
    GroupMeans totals = blocks.groups(LinearBlocks.SHARED);
    double difference = totals.mean(groups, 1) - totals.mean(groups, -1);
    return Double.isNaN(difference) ? 0 : Math.signum(difference);
  }

  /**
   * Returns Delta_a: the mean of an arm's privileged values, weighted by how many rewards of each
   * were learned over all arms, minus that of its protected ones; 0 until the arm was rewarded by
   * both sides. Values that it was not rewarded by are left out.
   *
   * <p>The paper weights by arrivals. There each is rewarded at once, so that the two are the same.
   * Where rewards come late or never, people who are silent more often count less here than among
   * those who came: the policy keeps nothing by group before a reward.
   */
  private double apart(GroupMeans arm, GroupMeans totals) {
    double privileged = side(arm, totals, 1);
    double difference = privileged - side(arm, totals, -1);
    return Double.isNaN(difference) ? 0 : difference;
  }

  private double side(GroupMeans arm, GroupMeans totals, int side) {
    double weights = 0;
    double sum = 0;
    for (int value = 0; value < groups.values(); value++) {
      if (groups.side(value) == side && arm.weight(value) > 0) {
        double weight = totals.weight(value);
        weights += weight;
        sum += weight * arm.mean(value);
      }
    }
    return weights > 0 ? sum / weights : Double.NaN;
  }

  void observe(LinearBlocks blocks, int arm, int value, double reward, long round) {
    blocks.groups(LinearBlocks.SHARED).observe(value, reward, round, part.forgetting());
    blocks.groups(arm).observe(value, reward, round, part.forgetting());
    blocks.changed(LinearBlocks.SHARED);
    if (part.gamma() instanceof Gamma.Adaptive) {
      AdaptiveGamma.observe(blocks.state(), groups.side(value), reward);
      blocks.stateChanged();
    }
  }

  void advance(LinearBlocks blocks, Candidates candidates, long round) {
    blocks.groups(LinearBlocks.SHARED).advance(round, part.forgetting());
    blocks.changed(LinearBlocks.SHARED);
    for (int place = 0; place < candidates.size(); place++) {
      blocks.groups(candidates.arm(place)).advance(round, part.forgetting());
      blocks.changed(candidates.arm(place));
    }
  }

  int values() {
    return groups.values();
  }

  Forget forgetting() {
    return part.forgetting();
  }
}
