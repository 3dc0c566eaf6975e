package io.equipoise.policy.bestarm;

import io.equipoise.event.EliminationReason;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Compares the arms of one phase. NaN compares false with everything, so an arm without an estimate
 * neither passes nor is dropped.
 */
final class PhaseTests {
  private final Estimates estimates;
  private final double bound;
  private final double effectBand;
  private final double rewardBand;

  PhaseTests(Estimates estimates, Phase phase, double bound) {
    this.estimates = estimates;
    this.bound = bound;
    effectBand = phase.effectBand();
    rewardBand = phase.rewardBand();
  }

  /** Returns F: the arms whose effects are within E by more than the paper's band. */
  BitSet fair(BitSet arms) {
    BitSet fair = new BitSet();
    arms.stream()
        .filter(
            k ->
                Math.abs(estimates.forward(k)) + effectBand < bound
                    && Math.abs(estimates.backward(k)) + effectBand < bound
                    && !Double.isNaN(estimates.reward(k)))
        .forEach(fair::set);
    return fair;
  }

  /** Returns the arm with the greatest Yhat, the first of several; -1 if none has one. */
  int leader(BitSet arms) {
    int leader = -1;
    for (int k = arms.nextSetBit(0); k >= 0; k = arms.nextSetBit(k + 1)) {
      double reward = estimates.reward(k);
      if (!Double.isNaN(reward) && (leader < 0 || reward > estimates.reward(leader))) {
        leader = k;
      }
    }
    return leader;
  }

  /** Returns the reasons against arms whose effect is beyond E by more than the band. */
  List<Elimination> unfair(BitSet arms) {
    List<Elimination> reasons = new ArrayList<>();
    for (int k = arms.nextSetBit(0); k >= 0; k = arms.nextSetBit(k + 1)) {
      beyond(
          k,
          estimates.forward(k),
          EliminationReason.UNFAIR_SS1_HIGH,
          EliminationReason.UNFAIR_SS1_LOW,
          reasons);
      beyond(
          k,
          estimates.backward(k),
          EliminationReason.UNFAIR_S1S_HIGH,
          EliminationReason.UNFAIR_S1S_LOW,
          reasons);
    }
    return reasons;
  }

  private void beyond(
      int k,
      double effect,
      EliminationReason high,
      EliminationReason low,
      List<Elimination> reasons) {
    if (effect - effectBand > bound) {
      reasons.add(new Elimination(k, high, effect - effectBand, bound));
    } else if (effect + effectBand < -bound) {
      reasons.add(new Elimination(k, low, effect + effectBand, -bound));
    }
  }

  /** Returns the reasons against arms that the leader beats by more than the band. */
  List<Elimination> suboptimal(BitSet arms, int leader) {
    List<Elimination> reasons = new ArrayList<>();
    double best = leader < 0 ? Double.NaN : estimates.reward(leader);
    for (int k = arms.nextSetBit(0); k >= 0; k = arms.nextSetBit(k + 1)) {
      double reach = estimates.reward(k) + rewardBand;
      if (best > reach) {
        reasons.add(new Elimination(k, EliminationReason.SUBOPTIMAL, reach, best));
      }
    }
    return reasons;
  }

  static BitSet without(BitSet arms, List<Elimination> reasons) {
    BitSet left = (BitSet) arms.clone();
    reasons.forEach(reason -> left.clear(reason.arm()));
    return left;
  }
}
