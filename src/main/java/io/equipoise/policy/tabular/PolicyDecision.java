package io.equipoise.policy.tabular;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ExcludedArm;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.UniformExploration;
import io.equipoise.policy.constraint.Scan;
import io.equipoise.policy.tabular.BestArm.Pick;
import io.equipoise.segmentspec.ExploreSpec;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What a rule over cells decided for one context, and what exploration makes of it.
 *
 * @param score what the rule compared, by arm
 * @param isAllowed says which arms the rule chose among; none of them where it fell back
 * @param isCertified says whether all effects of an arm are certified to be within tau
 * @param fairSetSize as of {@link Choice}
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
record PolicyDecision(
    Pick pick,
    DecisionReason reason,
    ArmScores scores,
    double[] score,
    boolean[] isAllowed,
    IntPredicate isCertified,
    int fairSetSize) {

  /** Returns the rule's choice, or for the share what is drawn in its place. */
  Choice explored(ExploreSpec explore, SeededRandom seededRandom) {
    IntPredicate isRuled = arm -> isAllowed[arm];
    if (explore.share() == 0) {
      return choice(pick.arm(), reason, pick.kind(), isRuled, false);
    }
    boolean[] isDrawnFrom = new boolean[score.length];
    for (int arm = 0; arm < score.length; arm++) {
      isDrawnFrom[arm] = explore.overAll() || isCertified.test(arm);
    }
    IntPredicate isDrawable = arm -> isDrawnFrom[arm];
    int drawn =
        UniformExploration.mix(
            explore.share(), seededRandom, score.length, isDrawable, pick.propensities());
    if (drawn == UniformExploration.NONE_TO_DRAW) {
      return choice(pick.arm(), reason, pick.kind(), isRuled, false);
    }
    boolean isReplaced = drawn != UniformExploration.RULED && drawn != pick.arm();
    return isReplaced
        ? choice(drawn, DecisionReason.EXPLORE, PropensityKind.EXACT, isDrawable, true)
        : choice(pick.arm(), reason, PropensityKind.EXACT, isRuled, false);
  }

  /** Returns the choice of an arm; where it is not the rule's, nothing is left for its effect. */
  Choice played(int arm, DecisionReason reason, boolean isExplored) {
    IntPredicate isTakenFrom = other -> arm != pick.arm() || isAllowed[other];
    return choice(arm, reason, PropensityKind.EXACT, isTakenFrom, isExplored);
  }

  private Choice choice(
      int arm,
      DecisionReason reason,
      PropensityKind kind,
      IntPredicate isTakenFrom,
      boolean isExplored) {
    return new Choice(
        arm,
        reason,
        score[arm],
        scores.mean()[arm],
        score[arm] - scores.mean()[arm],
        kind,
        pick.propensities(),
        isCertified.test(arm),
        fairSetSize,
        excluded(arm, isTakenFrom),
        isExplored);
  }

  /** Returns the best-paid arm above a chosen one among those that it was not taken from. */
  private @Nullable ExcludedArm excluded(int chosen, IntPredicate isTakenFrom) {
    double[] index = scores.index();
    int bestPaid = chosen;
    for (int arm = 0; arm < index.length; arm++) {
      if (!isTakenFrom.test(arm) && index[arm] > index[bestPaid] + Scan.TIE) {
        bestPaid = arm;
      }
    }
    return bestPaid == chosen ? null : scores.paid(bestPaid);
  }
}
