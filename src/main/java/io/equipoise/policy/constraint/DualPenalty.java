package io.equipoise.policy.constraint;

import java.util.List;

/**
 * Charges a candidate phi (cost - tau) for every constraint, and moves phi by how far the chosen
 * one's cost is above tau - eps (Chen, Tian and Quinn 2025, Algorithms 1 and 2; charging the upper
 * end is dual-upper, docs/math/logistic.md#rules-of-choice).
 *
 * @param limits one for each constraint
 * @param rho greatest value of a dual variable, above 0
 */
public record DualPenalty(List<EffectLimit> limits, double rho, DualSchedule schedule, Cost cost) {
  /** The greatest dual variable of policies over cells and ridge models. */
  public static final double CAP = 100;

  /** Names the part of an effect that is charged. */
  public enum Cost {
    /** Its estimated size. */
    ESTIMATE,
    /** The upper end of its size. */
    UPPER_END;

    double of(CandidateScores candidateScores, int candidate, int constraint) {
      return this == ESTIMATE
          ? candidateScores.estimate(candidate, constraint)
          : candidateScores.effect(candidate, constraint).high();
    }
  }

  public DualPenalty {
    limits = List.copyOf(limits);
    if (!(rho > 0 && rho < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("rho must be above 0, but is " + rho);
    }
  }

  /** Returns the penalty of policies over cells and ridge models, on one effect. */
  public static DualPenalty capped(EffectLimit limit, Cost cost) {
    return new DualPenalty(
        List.of(limit), CAP, DualSchedule.of(DualSchedule.ScheduleKind.CAPPED), cost);
  }

  /** Returns sum_j phi_j (cost_j - tau_j) of a candidate. */
  public double charge(CandidateScores candidateScores, DualBlock duals, int candidate) {
    double charge = 0;
    for (int place = 0; place < limits.size(); place++) {
      double charged = cost.of(candidateScores, candidate, place);
      charge += charge(place, duals.phi(place), charged);
    }
    return charge;
  }

  /** Returns phi (cost - tau) for one constraint. */
  public double charge(int constraint, double phi, double charged) {
    return phi * (charged - limits.get(constraint).tau());
  }

  /** Returns the dual variables after choosing a candidate, each within [0, rho]. */
  public double[] next(CandidateScores candidateScores, DualBlock duals, int chosen) {
    long t = duals.decisions() + 1;
    double[] next = duals.phis();
    for (int place = 0; place < next.length; place++) {
      double excess = cost.of(candidateScores, chosen, place) - limits.get(place).tight();
      next[place] = next(next[place], excess, t);
    }
    return next;
  }

  /**
   * Returns a dual variable after the t-th decision: phi + step(t) excess, within [0, rho].
   *
   * @param excess of the chosen candidate's cost over tau - eps
   */
  public double next(double phi, double excess, long t) {
    return Math.min(rho, Math.max(0, phi + schedule.step(t, rho) * excess));
  }
}
