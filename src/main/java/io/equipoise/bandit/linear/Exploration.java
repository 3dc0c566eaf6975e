package io.equipoise.bandit.linear;

import io.equipoise.bandit.Draw;
import io.equipoise.bandit.PropensityKind;
import io.equipoise.bandit.Why;

/** Explains what the rule chose, and plays something else for the share of {@link Explore}. */
final class Exploration {
  private final Explore explore;

  Exploration(Explore explore) {
    this.explore = explore;
  }

  /** Says why the rule's place was chosen, and what was left for it. */
  static void explain(LinearRound out) {
    boolean isBestPaid = true;
    int foregone = out.chosen;
    for (int place = 0; place < out.size; place++) {
      boolean isAdmitted = out.isEligible[place] || out.fairSetSize == 0;
      isBestPaid &= !isAdmitted || out.mean[place] <= out.mean[out.chosen] + Argmax.TOLERANCE;
      boolean isLeft = !out.isEligible[place] && place != out.chosen;
      if (isLeft && out.score[place] > out.score[foregone] + Argmax.TOLERANCE) {
        foregone = place;
      }
    }
    out.foregone = foregone == out.chosen ? LinearRound.NONE : foregone;
    out.isCertified = out.fairSetSize > 0;
    out.why = out.fairSetSize == 0 ? Why.FALLBACK : isBestPaid ? Why.EXPLOIT : Why.EXPLORE;
  }

  /** Mixes the rule's propensities with uniform ones, and plays one of those for the share. */
  void mix(Draw draw, LinearRound out) {
    if (explore.share() == 0) {
      return;
    }
    boolean isOverAll = explore.over() == Explore.Over.ALL;
    int drawnFrom = isOverAll ? out.size : out.fairSetSize;
    if (drawnFrom <= 0) {
      return;
    }
    double each = explore.share() / drawnFrom;
    double u = draw.uniform(Draw.Purpose.EXPLORE) / each;
    int skip = u < drawnFrom ? (int) u : -1;
    for (int place = 0; place < out.size; place++) {
      out.propensity[place] *= 1 - explore.share();
      if (isOverAll || out.isEligible[place]) {
        out.propensity[place] += each;
        if (skip-- == 0) {
          out.isExplored = place != out.chosen;
          out.why = out.isExplored ? Why.EXPLORE : out.why;
          out.chosen = place;
          out.isCertified = out.fairSetSize > 0 && out.isEligible[place];
        }
      }
    }
    if (out.kind == PropensityKind.DETERMINISTIC) {
      out.kind = PropensityKind.EXACT;
    }
  }
}
