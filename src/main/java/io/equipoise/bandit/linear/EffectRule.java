package io.equipoise.bandit.linear;

import io.equipoise.bandit.linear.LinearFairness.DualPenalty;
import io.equipoise.bandit.linear.LinearFairness.HardConstraint;
import io.equipoise.bandit.linear.LinearFairness.Screen;

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
        out.isEligible[place] =
            out.effect[place] <= hard.tau() && restsOnData(blocks, candidates, place, hard, out);
        out.fairSetSize += out.isEligible[place] ? 1 : 0;
      }
      fallBack(blocks, candidates, hard.effects(), hard.tau(), out);
    } else if (fairness instanceof DualPenalty dual) {
      for (int place = 0; place < out.size; place++) {
        out.effect[place] = effect(blocks, candidates, place, dual.effects(), dual.onUpperEnd());
        out.charged[place] = out.effect[place];
      }
    } else if (fairness instanceof Screen screen) {
      double slack = screen.slack(blocks.state().decisions + 1);
      out.fairSetSize = 0;
      for (int place = 0; place < out.size; place++) {
        out.effect[place] = effect(blocks, candidates, place, screen.effects(), true);
        out.charged[place] = effect(blocks, candidates, place, screen.effects(), false);
        out.isEligible[place] =
            out.effect[place] <= screen.tau() + slack
                && least(blocks, candidates, place, screen.effects()) <= screen.tau();
        out.fairSetSize += out.isEligible[place] ? 1 : 0;
      }
      fallBack(blocks, candidates, screen.effects(), screen.tau(), out);
    }
  }

  /**
   * Notes who is taken where nobody is eligible: of those that are not known to exceed tau the one
   * with the least upper end; of equal ones, as where the range of rewards cuts all, the one with
   * the widest interval, so that data come in on each; then the first. If all are known to exceed
   * tau, the first of the least upper end.
   */
  private void fallBack(
      LinearBlocks blocks,
      Candidates candidates,
      RidgeEffects effects,
      double tau,
      LinearRound out) {
    if (out.fairSetSize > 0) {
      return;
    }
    boolean isOpen = false;
    double reach = 0;
    for (int place = 0; place < out.size; place++) {
      boolean isOpenHere = least(blocks, candidates, place, effects) <= tau;
      double reachHere = isOpenHere ? reach(blocks, candidates, place, effects) : 0;
      double less = place == 0 ? 0 : out.effect[out.fallback] - out.effect[place];
      boolean isBetter =
          isOpenHere == isOpen
              ? less > Argmax.TOLERANCE
                  || (less >= -Argmax.TOLERANCE && reachHere > reach + Argmax.TOLERANCE)
              : isOpenHere;
      if (place == 0 || isBetter) {
        out.fallback = place;
        isOpen = isOpenHere;
        reach = reachHere;
      }
    }
  }

  /** Returns the widest reach of a candidate's intervals; -1 where no data narrow one of them. */
  private double reach(
      LinearBlocks blocks, Candidates candidates, int place, RidgeEffects effects) {
    if (candidates.isHiding(place)) {
      return -1;
    }
    int key = key(candidates, place);
    RidgeArm ridge = blocks.complete(key);
    int position = blocks.position(key);
    double widest = 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      widest = Math.max(widest, effects.reach(ridge, position, candidates.effect(place, which)));
    }
    return widest;
  }

  private boolean restsOnData(
      LinearBlocks blocks, Candidates candidates, int place, HardConstraint hard, LinearRound out) {
    RidgeArm ridge = blocks.complete(key(candidates, place));
    for (int which = 0; which < candidates.worlds(place); which++) {
      if (!hard.effects().restsOnData(ridge, candidates.effect(place, which), out.sampled)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the largest size that some effect of a candidate has at least. */
  private double least(
      LinearBlocks blocks, Candidates candidates, int place, RidgeEffects effects) {
    int key = key(candidates, place);
    RidgeArm ridge = blocks.complete(key);
    int position = blocks.position(key);
    double worst = 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      worst = Math.max(worst, effects.least(ridge, position, candidates.effect(place, which)));
    }
    return worst;
  }

  /**
   * Returns the largest effect over a candidate's counterfactual worlds, or its upper end, which
   * for a hidden effect is the largest that there can be.
   */
  private double effect(
      LinearBlocks blocks,
      Candidates candidates,
      int place,
      RidgeEffects effects,
      boolean onUpperEnd) {
    int key = key(candidates, place);
    RidgeArm ridge = blocks.complete(key);
    int position = blocks.position(key);
    double worst = onUpperEnd && candidates.isHiding(place) ? effects.span() : 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      FeatureVector c = candidates.effect(place, which);
      double effect = onUpperEnd ? effects.worst(ridge, position, c) : Math.abs(ridge.mean(c));
      worst = Math.max(worst, effect);
    }
    return worst;
  }

  private int key(Candidates candidates, int place) {
    return isShared ? LinearBlocks.SHARED : candidates.arm(place);
  }

  /** Charges the scores for effects beyond tau. */
  void charge(LinearBlocks blocks, LinearRound out) {
    if (fairness instanceof DualPenalty dual) {
      charge(blocks.state().dual, dual.tau(), out);
    } else if (fairness instanceof Screen screen) {
      charge(blocks.state().dual, screen.tau(), out);
    }
  }

  private static void charge(double phi, double tau, LinearRound out) {
    for (int place = 0; place < out.size; place++) {
      out.score[place] -= phi * (out.charged[place] - tau);
    }
  }

  /** Moves the dual variable by the effect of what was chosen. */
  void settle(LinearBlocks blocks, LinearRound out) {
    if (fairness instanceof DualPenalty dual) {
      settle(blocks, dual.cap(), out.charged[out.chosen] - dual.tau() + dual.epsilon());
    } else if (fairness instanceof Screen screen) {
      settle(blocks, screen.cap(), out.charged[out.chosen] - screen.tau());
    }
  }

  private static void settle(LinearBlocks blocks, double cap, double excess) {
    PolicyState state = blocks.state();
    state.decisions++;
    double step = cap / Math.max(FEWEST_STEPS, Math.sqrt((double) state.decisions));
    state.dual = Math.max(0, Math.min(cap, state.dual + step * excess));
    blocks.stateChanged();
  }
}
