package io.equipoise.policy.constraint;

import java.util.List;

/** Selects the greatest optimistic value less the penalty; every candidate is allowed. */
public record Lagrangian(DualPenalty penalty) implements SelectionRule {
  @Override
  public Selection select(CandidateScores candidateScores, DualBlock duals, int start) {
    int best =
        Scan.best(
            candidateScores.candidates(),
            start,
            candidate -> score(candidateScores, duals, candidate));
    return new Selection(best, score(candidateScores, duals, best), -1);
  }

  /** Returns a candidate's optimistic value less its penalty. */
  public double score(CandidateScores candidateScores, DualBlock duals, int candidate) {
    return candidateScores.optimistic(candidate)
        - penalty.charge(candidateScores, duals, candidate);
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
