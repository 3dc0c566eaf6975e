package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.HardConstraint;
import io.equipoise.policy.constraint.Scan;
import io.equipoise.policy.linear.LinearFairness.Limited;
import org.jspecify.annotations.Nullable;

/** Applies the constraint that limits a candidate's counterfactual effects, if any. Immutable. */
final class EffectRule {
  private final @Nullable Limited limited;
  private final boolean isShared;

  EffectRule(LinearFairness fairness, boolean isShared) {
    limited = fairness instanceof Limited limits ? limits : null;
    this.isShared = isShared;
  }

  /** Finds the effects that the constraint limits, and who is eligible. */
  void constrain(LinearBlocks blocks, Candidates candidates, LinearRound out) {
    if (limited == null) {
      return;
    }
    RidgeEffects effects = limited.effects();
    DualPenalty penalty = limited.rule().penalty();
    for (int place = 0; penalty != null && place < out.size; place++) {
      boolean onUpperEnd = penalty.cost() == DualPenalty.Cost.UPPER_END;
      out.charged[place] = effect(blocks, candidates, place, effects, onUpperEnd);
    }
    if (!limited.isSelective()) {
      return;
    }
    EffectLimit limit = limited.limit();
    boolean isHard = limited.rule() instanceof HardConstraint;
    double slack = limited.rule().slack(blocks.state().decisions + 1);
    out.fairSetSize = 0;
    for (int place = 0; place < out.size; place++) {
      out.effect[place] = effect(blocks, candidates, place, effects, true);
      out.isEligible[place] =
          limit.admits(out.effect[place], slack)
              && (isHard
                  ? restsOnData(blocks, candidates, place, effects, out)
                  : limit.mayHold(least(blocks, candidates, place, effects)));
      out.fairSetSize += out.isEligible[place] ? 1 : 0;
    }
    fallBack(blocks, candidates, effects, limit, out);
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
      EffectLimit limit,
      LinearRound out) {
    if (out.fairSetSize > 0) {
      return;
    }
    boolean isOpen = false;
    double reach = 0;
    for (int place = 0; place < out.size; place++) {
      boolean isOpenHere = limit.mayHold(least(blocks, candidates, place, effects));
      double reachHere = isOpenHere ? reach(blocks, candidates, place, effects) : 0;
      double less = place == 0 ? 0 : out.effect[out.fallback] - out.effect[place];
      boolean isBetter =
          isOpenHere == isOpen
              ? less > Scan.TIE || (less >= -Scan.TIE && reachHere > reach + Scan.TIE)
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
    RidgeRegression ridge = blocks.complete(key);
    int position = blocks.position(key);
    double widest = 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      widest = Math.max(widest, effects.reach(ridge, position, candidates.effect(place, which)));
    }
    return widest;
  }

  private boolean restsOnData(
      LinearBlocks blocks,
      Candidates candidates,
      int place,
      RidgeEffects effects,
      LinearRound out) {
    int key = key(candidates, place);
    RidgeRegression ridge = blocks.complete(key);
    ContrastBlock contrasts = blocks.contrasts(key);
    for (int which = 0; which < candidates.worlds(place); which++) {
      if (!effects.restsOnData(ridge, contrasts, candidates.effect(place, which), out.sampled)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the largest size that some effect of a candidate has at least. */
  private double least(
      LinearBlocks blocks, Candidates candidates, int place, RidgeEffects effects) {
    int key = key(candidates, place);
    RidgeRegression ridge = blocks.complete(key);
    ContrastBlock contrasts = blocks.contrasts(key);
    int position = blocks.position(key);
    double worst = 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      FeatureVector c = candidates.effect(place, which);
      worst = Math.max(worst, effects.least(ridge, contrasts, position, c));
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
    RidgeRegression ridge = blocks.complete(key);
    ContrastBlock contrasts = onUpperEnd ? blocks.contrasts(key) : null;
    int position = blocks.position(key);
    double worst = onUpperEnd && candidates.isHiding(place) ? effects.span() : 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      FeatureVector c = candidates.effect(place, which);
      double effect =
          onUpperEnd ? effects.worst(ridge, contrasts, position, c) : Math.abs(ridge.mean(c));
      worst = Math.max(worst, effect);
    }
    return worst;
  }

  private int key(Candidates candidates, int place) {
    return isShared ? LinearBlocks.SHARED : candidates.arm(place);
  }

  /** Charges the scores for effects beyond tau. */
  void charge(LinearBlocks blocks, LinearRound out) {
    DualPenalty penalty = limited == null ? null : limited.rule().penalty();
    if (penalty != null) {
      double phi = blocks.state().dual;
      for (int place = 0; place < out.size; place++) {
        out.score[place] -= penalty.charge(0, phi, out.charged[place]);
      }
    }
  }

  /** Moves the dual variable by the effect of what was chosen. */
  void settle(LinearBlocks blocks, LinearRound out) {
    DualPenalty penalty = limited == null ? null : limited.rule().penalty();
    if (limited != null && penalty != null) {
      EffectLimit limit = limited.limit();
      PolicyState state = blocks.state();
      state.decisions++;
      double excess = out.charged[out.chosen] - limit.tau() + limit.eps();
      state.dual = penalty.next(state.dual, excess, state.decisions);
      blocks.stateChanged();
    }
  }
}
