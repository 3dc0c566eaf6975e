package io.equipoise.policy.tabular;

import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.CertifyFirst;
import io.equipoise.policy.constraint.CertifyRound;
import io.equipoise.policy.constraint.CertifyState;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plays by {@link CertifyFirst} over cells: an arm has the status that it has by the effects of
 * this person. Immutable.
 */
public final class CellTargets {
  /** Where what it remembers lies among the blocks, see {@link LagrangianRule#KEY}. */
  public static final long KEY = -5;

  private final TabularModel model;
  private final CertifyFirst certifyFirst;
  private final boolean[] isSafe;
  private final double tau;
  private final double span;

  /**
   * Composes.
   *
   * @param isSafe arms that the rule falls back to: while nobody is certified, they are what the
   *     target is tried beside
   */
  CellTargets(SegmentSpec spec, TabularModel model, ExploreSpec explore, boolean[] isSafe) {
    this.model = model;
    this.isSafe = isSafe.clone();
    certifyFirst = new CertifyFirst(explore.share(), explore.budget(), explore.floor());
    tau = spec.fairness().tau();
    span = spec.reward().range().width();
  }

  /** Returns what is stored, or the start. */
  public static CertifyState state(ModelState modelState) {
    return modelState.get(KEY) instanceof CertifyState stored ? stored.copy() : new CertifyState();
  }

  /**
   * Moves what is remembered of arms to their places in another spec.
   *
   * @param placeBefore by arm, its place in the spec before; -1 for a new one
   */
  static void reorder(ModelState modelState, int[] placeBefore) {
    if (modelState.get(KEY) instanceof CertifyState stored) {
      modelState.put(KEY, stored.reordered(placeBefore));
    }
  }

  /**
   * Returns what it explores in the place of the rule's choice, and remembers what is played.
   *
   * @param taken the arm that is played whatever is returned; null if there is none
   */
  Choice play(
      ModelState modelState,
      int[] context,
      PolicyDecision ruled,
      List<EffectBound> bounds,
      SeededRandom seededRandom,
      @Nullable Integer taken) {
    int arms = ruled.score().length;
    boolean[] isAllowed = ruled.fairSetSize() > 0 ? ruled.isAllowed() : isSafe;
    CertifyRound round = new CertifyRound(arms);
    EffectBound[] widest = new EffectBound[arms];
    for (int arm = 0; arm < arms; arm++) {
      double mean = ruled.scores().mean()[arm];
      double bonus = Math.max(0, Math.min(span, ruled.scores().index()[arm] - mean));
      round.candidate(arm, arm, true, mean, bonus, 1);
      if (isAllowed[arm]) {
        round.allow(arm);
      }
      widest[arm] = ruled.isCertified().test(arm) ? null : look(bounds, arm, round);
    }
    CertifyState state = state(modelState);
    certifyFirst.mix(
        state,
        round,
        ruled.pick().arm(),
        ruled.pick().propensities(),
        arm -> weight(widest[arm], context, arm),
        seededRandom);
    CertifyFirst.settle(state, round, taken == null ? round.chosen() : taken);
    modelState.put(KEY, state);
    return ruled.played(
        round.chosen(),
        round.reason() == null ? ruled.reason() : round.reason(),
        round.isExplored());
  }

  /** Adds the effects of an arm; returns the undecided one with the widest interval. */
  private @Nullable EffectBound look(List<EffectBound> bounds, int arm, CertifyRound round) {
    EffectBound widest = null;
    for (EffectBound bound : bounds) {
      EffectFinding effect = model.effect(bound, arm);
      widest = round.effect(arm, effect.lower(), effect.upper(), tau) ? bound : widest;
    }
    return widest;
  }

  private double weight(@Nullable EffectBound bound, int[] context, int arm) {
    return bound == null ? 1 : model.weight(bound, context, arm);
  }
}
