package io.equipoise.bandit.constraint;

import java.util.List;

/** Selects the greatest optimistic value less the penalty; every candidate is allowed. */
public record Lagrangian(DualPenalty penalty) implements SelectionRule {
  @Override
  public Selection select(Prospects prospects, DualBlock duals, int start) {
    int best =
        Scan.best(prospects.candidates(), start, candidate -> score(prospects, duals, candidate));
    return new Selection(best, score(prospects, duals, best), -1);
  }

  /** Returns a candidate's optimistic value less its penalty. */
  public double score(Prospects prospects, DualBlock duals, int candidate) {
    return prospects.optimistic(candidate) - penalty.charge(prospects, duals, candidate);
  }

  @Override
  public List<EffectLimit> limits() {
    return penalty.limits();
  }

  @Override
  public double slack(long t) {
    return Double.POSITIVE_INFINITY;
  }
}
