package io.equipoise.bandit.constraint;

import java.util.List;
import java.util.function.IntToDoubleFunction;

/** How far effects lie beyond their limits, each limit being tau - eps. */
record Excess(List<EffectLimit> limits) {
  /** Returns the greatest excess of an upper end; negative infinity without constraints. */
  double high(Prospects prospects, int candidate) {
    double worst = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < limits.size(); place++) {
      double excess = prospects.effect(candidate, place).high() - limits.get(place).tight();
      worst = Math.max(worst, excess);
    }
    return worst;
  }

  /** Returns the constraint with the greatest excess of an upper end. */
  int worst(Prospects prospects, int candidate) {
    int worst = 0;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int place = 0; place < limits.size(); place++) {
      double excess = prospects.effect(candidate, place).high() - limits.get(place).tight();
      if (excess > greatest) {
        worst = place;
        greatest = excess;
      }
    }
    return worst;
  }

  /** Says whether no effect is known to exceed its limit. */
  boolean mayBeFair(Prospects prospects, int candidate) {
    for (int place = 0; place < limits.size(); place++) {
      if (prospects.effect(candidate, place).low() > limits.get(place).tight()) {
        return false;
      }
    }
    return true;
  }

  boolean isAllowed(Prospects prospects, int candidate, double slack) {
    return mayBeFair(prospects, candidate) && high(prospects, candidate) <= slack;
  }

  /** Selects the greatest score among the allowed, or the least excess where nothing is. */
  Selection select(Prospects prospects, int start, double slack, IntToDoubleFunction score) {
    int candidates = prospects.candidates();
    boolean[] isAllowed = new boolean[candidates];
    int allowed = 0;
    for (int candidate = 0; candidate < candidates; candidate++) {
      isAllowed[candidate] = isAllowed(prospects, candidate, slack);
      allowed += isAllowed[candidate] ? 1 : 0;
    }
    if (allowed == 0) {
      int least = Scan.best(candidates, start, candidate -> -high(prospects, candidate));
      return new Selection(least, -high(prospects, least), 0);
    }
    int best =
        Scan.best(candidates, start, Scan.STRICTLY, candidate -> isAllowed[candidate], score);
    return new Selection(best, score.applyAsDouble(best), allowed);
  }
}
