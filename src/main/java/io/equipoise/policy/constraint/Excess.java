package io.equipoise.policy.constraint;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/** Measures how far effects lie beyond their limits, each limit being tau - eps. */
record Excess(List<EffectLimit> limits) {
  private static final int TIES = 1000;

  /** Returns the greatest excess of an upper end; negative infinity without constraints. */
  double high(CandidateScores candidateScores, int candidate) {
    double worst = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < limits.size(); place++) {
      double excess = candidateScores.effect(candidate, place).high() - limits.get(place).tight();
      worst = Math.max(worst, excess);
    }
    return worst;
  }

  /** Returns the constraint with the greatest excess of an upper end. */
  int worst(CandidateScores candidateScores, int candidate) {
    int worst = 0;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < limits.size(); place++) {
      double excess = candidateScores.effect(candidate, place).high() - limits.get(place).tight();
      if (excess > greatest) {
        worst = place;
        greatest = excess;
      }
    }
    return worst;
  }

  /** Returns whether no effect is known to exceed its limit. */
  boolean mayBeFair(CandidateScores candidateScores, int candidate) {
    for (int place = 0; place < limits.size(); place++) {
      if (!isAtMost(
          candidateScores, candidate, place, limits.get(place).tight(), EffectSize::low)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether no effect exceeds its limit by more than the slack. */
  boolean isAllowed(CandidateScores candidateScores, int candidate, double slack) {
    for (int place = 0; place < limits.size(); place++) {
      double tight = limits.get(place).tight();
      if (!isAtMost(candidateScores, candidate, place, slack, size -> size.high() - tight)) {
        return false;
      }
    }
    return mayBeFair(candidateScores, candidate);
  }

  private static boolean isAtMost(
      CandidateScores candidateScores,
      int candidate,
      int place,
      double limit,
      ToDoubleFunction<EffectSize> measured) {
    return candidateScores
        .roughBounds(candidate, place)
        .isAtMost(
            limit,
            measured,
            () -> candidateScores.bounds(candidate, place),
            () -> candidateScores.effect(candidate, place));
  }

  /**
   * Selects the greatest score among the allowed, or the least excess of the undecided where
   * nothing is.
   */
  Selection select(
      CandidateScores candidateScores, int start, double slack, IntToDoubleFunction score) {
    int candidates = candidateScores.candidates();
    boolean[] isAllowed = new boolean[candidates];
    int allowed = 0;
    for (int candidate = 0; candidate < candidates; candidate++) {
      isAllowed[candidate] = isAllowed(candidateScores, candidate, slack);
      allowed += isAllowed[candidate] ? 1 : 0;
    }
    if (allowed == 0) {
      int least = least(candidateScores, start, undecided(candidateScores));
      return new Selection(least, -high(candidateScores, least), 0);
    }
    int best =
        Scan.best(candidates, start, Scan.STRICTLY, candidate -> isAllowed[candidate], score);
    return new Selection(best, score.applyAsDouble(best), allowed);
  }

  /** Returns those whose effects are not known to exceed tau; all if there are none. */
  private boolean[] undecided(CandidateScores candidateScores) {
    boolean[] isUndecided = new boolean[candidateScores.candidates()];
    boolean isAny = false;
    for (int candidate = 0; candidate < isUndecided.length; candidate++) {
      boolean isKnown = false;
      for (int place = 0; !isKnown && place < limits.size(); place++) {
        double tau = limits.get(place).tau();
        isKnown = !isAtMost(candidateScores, candidate, place, tau, EffectSize::low);
      }
      isUndecided[candidate] = !isKnown;
      isAny |= !isKnown;
    }
    if (!isAny) {
      Arrays.fill(isUndecided, true);
    }
    return isUndecided;
  }

  /**
   * Returns the candidate of a set with the least excess. Who exceeds another for certain, and by
   * more than ties of all candidates one after the other could bridge, is not asked for its exact
   * excess. The other is the one with the least bound, by its exact excess.
   */
  private int least(CandidateScores candidateScores, int start, boolean[] isIn) {
    int candidates = candidateScores.candidates();
    double[] atLeast = new double[candidates];
    double reached = Double.POSITIVE_INFINITY;
    int nearest = -1;
    for (int candidate = 0; candidate < candidates; candidate++) {
      double least = Double.NEGATIVE_INFINITY;
      double most = Double.NEGATIVE_INFINITY;
      for (int place = 0; place < limits.size(); place++) {
        double tight = limits.get(place).tight();
        EffectBounds bounds = candidateScores.bounds(candidate, place);
        least = Math.max(least, bounds.least().high() - tight);
        most = Math.max(most, bounds.most().high() - tight);
      }
      atLeast[candidate] = least;
      if (isIn[candidate] && most < reached) {
        reached = most;
        nearest = candidate;
      }
    }
    reached = nearest < 0 ? reached : Math.min(reached, high(candidateScores, nearest));
    double within = reached + (candidates + TIES) * Scan.STRICTLY;
    return Scan.best(
        candidates,
        start,
        Scan.STRICTLY,
        candidate -> isIn[candidate] && !(atLeast[candidate] > within),
        candidate -> -high(candidateScores, candidate));
  }
}
