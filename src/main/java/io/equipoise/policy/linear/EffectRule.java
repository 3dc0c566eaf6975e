package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.HardConstraint;
import io.equipoise.policy.constraint.Scan;
import io.equipoise.policy.linear.LinearFairness.Limited;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies the constraint that limits a candidate's counterfactual effects, if any. Immutable. */
final class EffectRule {
  private final @Nullable Limited limited;

  EffectRule(LinearFairness fairness) {
    limited = fairness instanceof Limited limits ? limits : null;
  }

  /** Finds the effects that the constraint limits, and who is eligible. */
  void constrain(LinearRound out) {
    if (limited == null) {
      return;
    }
    RidgeEffects effects = limited.effects();
    DualPenalty penalty = limited.rule().penalty();
    for (int place = 0; penalty != null && place < out.size; place++) {
      boolean onUpperEnd = penalty.cost() == DualPenalty.Cost.UPPER_END;
      out.charged[place] = effect(out, place, effects, onUpperEnd);
    }
    if (!limited.isSelective()) {
      return;
    }
    EffectLimit limit = limited.limit();
    boolean isHard = limited.rule() instanceof HardConstraint;
    double slack = limited.rule().slack(out.blocks().state().decisions + 1);
    out.fairSetSize = 0;
    for (int place = 0; place < out.size; place++) {
      out.effect[place] = effect(out, place, effects, true);
      out.isEligible[place] =
          limit.admits(out.effect[place], slack)
              && (isHard
                  ? restsOnData(out, place, effects)
                  : limit.mayHold(least(out, place, effects)));
      out.fairSetSize += out.isEligible[place] ? 1 : 0;
    }
    fallBack(effects, limit, out);
  }

  /**
   * Notes who is taken where nobody is eligible: of those that are not known to exceed tau the one
   * with the least upper end; of equal ones, as where the range of rewards cuts all, the one with
   * the widest interval, so that data come in on each; then the first. If all are known to exceed
   * tau, the first of the least upper end.
   */
  private static void fallBack(RidgeEffects effects, EffectLimit limit, LinearRound out) {
    if (out.fairSetSize > 0) {
      return;
    }
    boolean isOpen = false;
    double reach = 0;
    for (int place = 0; place < out.size; place++) {
      boolean isOpenHere = limit.mayHold(least(out, place, effects));
      double reachHere = isOpenHere ? reach(out, place, effects) : 0;
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
  private static double reach(LinearRound out, int place, RidgeEffects effects) {
    Candidates candidates = out.candidates();
    if (candidates.isHiding(place)) {
      return -1;
    }
    RidgeRegression ridge = out.complete(place);
    int position = out.position(place);
    double widest = 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      widest = Math.max(widest, effects.reach(ridge, position, candidates.effect(place, which)));
    }
    return widest;
  }

  private static boolean restsOnData(LinearRound out, int place, RidgeEffects effects) {
    Candidates candidates = out.candidates();
    RidgeRegression ridge = out.complete(place);
    ContrastBlock contrasts = out.contrasts(place);
    for (int which = 0; which < candidates.worlds(place); which++) {
      if (!effects.restsOnData(ridge, contrasts, candidates.effect(place, which), out.sampled)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the largest size that some effect of a candidate has at least. */
  private static double least(LinearRound out, int place, RidgeEffects effects) {
    Candidates candidates = out.candidates();
    RidgeRegression ridge = out.complete(place);
    ContrastBlock contrasts = out.contrasts(place);
    int position = out.position(place);
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
  private static double effect(
      LinearRound out, int place, RidgeEffects effects, boolean onUpperEnd) {
    Candidates candidates = out.candidates();
    RidgeRegression ridge = out.complete(place);
    ContrastBlock contrasts = onUpperEnd ? out.contrasts(place) : null;
    int position = out.position(place);
    double worst = onUpperEnd && candidates.isHiding(place) ? effects.span() : 0;
    for (int which = 0; which < candidates.worlds(place); which++) {
      FeatureVector c = candidates.effect(place, which);
      double effect =
          onUpperEnd ? effects.worst(ridge, contrasts, position, c) : Math.abs(ridge.mean(c));
      worst = Math.max(worst, effect);
    }
    return worst;
  }

  /**
   * Describes a candidate to the rule that earns while certifying, and adds its effects; returns
   * the undecided contrast with the widest interval, null if there is none.
   */
  @Nullable FeatureVector look(LinearRound out, int place, EarnRound round) {
    RidgeEffects effects = Objects.requireNonNull(limited).effects();
    double tau = limited.limit().tau();
    Candidates candidates = out.candidates();
    RidgeRegression ridge = out.complete(place);
    ContrastBlock contrasts = out.contrasts(place);
    int position = out.position(place);
    int arm = candidates.arm(place);
    double bonus = out.index[place] - out.mean[place];
    round.candidate(place, arm, out.blocks().isKnown(arm), out.mean[place], bonus);
    for (int which = 0; which < candidates.worlds(place); which++) {
      double more = out.ridge(place).mean(candidates.effect(place, which));
      round.other(place, more, candidates.share(place, which));
    }
    FeatureVector widest = null;
    if (candidates.isHiding(place)) {
      round.unknownEffect(place, tau);
    }
    for (int which = 0; which < candidates.contrasts(place); which++) {
      FeatureVector c = candidates.contrast(place, which);
      double lower = effects.lower(ridge, contrasts, position, c);
      double upper = effects.upper(ridge, contrasts, position, c);
      widest = round.effect(place, lower, upper, tau) ? c : widest;
    }
    return widest;
  }

  /** Charges the scores for effects beyond tau. */
  void charge(LinearRound out) {
    DualPenalty penalty = limited == null ? null : limited.rule().penalty();
    if (penalty != null) {
      double phi = out.blocks().state().dual;
      for (int place = 0; place < out.size; place++) {
        out.score[place] -= penalty.charge(0, phi, out.charged[place]);
      }
    }
  }

  /** Moves the dual variable by the effect of what was chosen. */
  void settle(LinearRound out) {
    DualPenalty penalty = limited == null ? null : limited.rule().penalty();
    if (limited != null && penalty != null) {
      EffectLimit limit = limited.limit();
      PolicyState state = out.blocks().state();
      state.decisions++;
      double excess = out.charged[out.chosen] - limit.tau() + limit.eps();
      state.dual = penalty.next(state.dual, excess, state.decisions);
      out.blocks().stateChanged();
    }
  }
}
