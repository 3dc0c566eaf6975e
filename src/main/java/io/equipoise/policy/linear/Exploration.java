package io.equipoise.policy.linear;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.UniformExploration;
import io.equipoise.policy.constraint.Scan;
import io.equipoise.segmentspec.ExploreSpec;

/** Explains what the rule chose, and plays something else for the share of {@link ExploreSpec}. */
record Exploration(ExploreSpec explore) {
  /** Says whether every candidate is drawn now and then. */
  boolean triesAll() {
    return explore.share() > 0 && explore.over() != ExploreSpec.Over.FAIR_SET;
  }

  /** Says why the rule's place was chosen, and what was left for it. */
  static void explain(LinearRound out) {
    boolean isBestPaid = true;
    for (int place = 0; place < out.size; place++) {
      boolean isAdmitted = out.isEligible[place] || out.fairSetSize == 0;
      isBestPaid &= !isAdmitted || out.mean[place] <= out.mean[out.chosen] + Scan.TIE;
    }
    out.excluded = excluded(out);
    out.isCertified = out.fairSetSize > 0;
    out.reason =
        out.fairSetSize == 0
            ? DecisionReason.UNCERTIFIED
            : isBestPaid ? DecisionReason.EXPLOIT : DecisionReason.EXPLORE;
  }

  /** Returns the best-scored place above the chosen one that its effect keeps out, or NONE. */
  private static int excluded(LinearRound out) {
    int excluded = out.chosen;
    for (int place = 0; place < out.size; place++) {
      boolean isLeft = !out.isEligible[place] && place != out.chosen;
      if (isLeft && out.score[place] > out.score[excluded] + Scan.TIE) {
        excluded = place;
      }
    }
    return excluded == out.chosen ? LinearRound.NONE : excluded;
  }

  /**
   * Mixes the rule's propensities with uniform ones, and plays one of those for the share. What is
   * drawn from all leaves nothing because of its effect; what is drawn from the fair set does.
   */
  void mix(SeededRandom seededRandom, LinearRound out) {
    if (explore.share() == 0) {
      return;
    }
    boolean isOverAll = explore.over() == ExploreSpec.Over.ALL;
    int drawn =
        UniformExploration.mix(
            explore.share(),
            seededRandom,
            out.size,
            place -> isOverAll || out.isEligible[place],
            out.propensity);
    if (drawn == UniformExploration.NONE_TO_DRAW) {
      return;
    }
    if (out.kind == PropensityKind.DETERMINISTIC) {
      out.kind = PropensityKind.EXACT;
    }
    if (drawn != UniformExploration.RULED && drawn != out.chosen) {
      out.chosen = drawn;
      out.isExplored = true;
      out.reason = DecisionReason.EXPLORE;
      out.isCertified = out.fairSetSize > 0 && out.isEligible[drawn];
      out.excluded = isOverAll ? LinearRound.NONE : excluded(out);
    }
  }
}
