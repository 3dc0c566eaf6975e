package io.equipoise.bandit.linear;

import io.equipoise.bandit.linear.LinearFairness.DualPenalty;
import io.equipoise.bandit.linear.LinearFairness.HardConstraint;

/** Applies the fairness parts that judge a candidate by its counterfactual effects. Immutable. */
final class EffectRule {
  private static final double FEWEST_STEPS = 100;

  private final LinearFairness fairness;
  private final boolean isShared;

  EffectRule(LinearFairness fairness, boolean isShared) {
    this.fairness = fairness;
    this.isShared = isShared;
  }

  /** Finds the effects that the fairness part judges by, and who is eligible. */
  void constrain(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    if (fairness instanceof HardConstraint hard) {
      out.fairSetSize = 0;
      for (int place = 0; place < out.size; place++) {
        out.effect[place] = effect(blocks, candidates, place, hard.effects(), true);
        out.isEligible[place] = out.effect[place] <= hard.tau();
        out.fairSetSize += out.isEligible[place] ? 1 : 0;
      }
    } else if (fairness instanceof DualPenalty dual) {
      for (int place = 0; place < out.size; place++) {
        out.effect[place] = effect(blocks, candidates, place, dual.effects(), dual.onUpperEnd());
      }
    }
  }

  /** Returns the largest effect over a candidate's counterfactual worlds, or its upper end. */
  private double effect(
      LinearBlocks blocks,
      Candidates candidates,
      int place,
      RidgeEffects effects,
      boolean onUpperEnd) {
    RidgeArm ridge = blocks.ridge(isShared ? LinearBlocks.SHARED : candidates.arm(place));
    double worst = 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      FeatureVector c = candidates.effect(place, which);
      double effect = onUpperEnd ? effects.worst(ridge, c) : Math.abs(ridge.mean(c));
      worst = Math.max(worst, effect);
    }
    return worst;
  }

  /** Charges the scores for effects beyond tau. */
  void charge(LinearBlocks blocks, LinearRound out) {
    if (fairness instanceof DualPenalty dual) {
      double phi = blocks.state().dual;
      for (int place = 0; place < out.size; place++) {
        out.score[place] -= phi * (out.effect[place] - dual.tau());
      }
    }
  }

  /** Returns the first place of the least effect. */
  static int leastEffect(LinearRound out) {
    int least = 0;
    for (int place = 1; place < out.size; place++) {
      least = out.effect[place] < out.effect[least] - Argmax.TOLERANCE ? place : least;
    }
    return least;
  }

  /** Moves the dual variable by the effect of what was chosen. */
  void settle(LinearBlocks blocks, LinearRound out) {
    if (fairness instanceof DualPenalty dual) {
      PolicyState state = blocks.state();
      state.decisions++;
      double step = dual.cap() / Math.max(FEWEST_STEPS, Math.sqrt((double) state.decisions));
      double excess = out.effect[out.chosen] - dual.tau() + dual.epsilon();
      state.dual = Math.max(0, Math.min(dual.cap(), state.dual + step * excess));
      blocks.stateChanged();
    }
  }
}
