package io.equipoise.bandit.linear;

/** The fairness part of a linear policy. */
public sealed interface LinearFairness {
  /** None: the index alone decides. */
  record None() implements LinearFairness {}

  /**
   * Adds the group-balance term of Fair-LinUCB, eqs. 6 to 8, to the index; needs {@link
   * LinearIndex.Ucb}.
   *
   * @param forgetting of the group means: cumulative in the paper
   */
  record GroupBalance(SensitiveGroups groups, Gamma gamma, Forgetting forgetting)
      implements LinearFairness {}

  /**
   * The rule of F-UCB (Huang et al. 2022, Algorithm 2): only candidates all of whose effects are
   * certified to be at most tau; if there is none, the one with the least certificate among those
   * that are not known to exceed tau, the least known of equal ones.
   */
  record HardConstraint(RidgeEffects effects, double tau) implements LinearFairness {}

  /**
   * Charges phi * (e - tau) for the largest effect e of a candidate; after each decision phi moves
   * by step * (e - tau + epsilon) within [0, cap], step = cap / max(100, sqrt(decisions)).
   *
   * @param onUpperEnd whether e is the upper end of |effect|'s interval, else its estimate
   */
  record DualPenalty(
      RidgeEffects effects, double tau, double epsilon, double cap, boolean onUpperEnd)
      implements LinearFairness {}

  /**
   * Admits candidates whose every effect may be within tau and whose upper end exceeds it by at
   * most width t^(-1/3), where t counts decisions; if there is none, the one that {@link
   * HardConstraint} takes. Charges phi as {@link DualPenalty} does for the estimate (specification
   * of the logistic policies, section 5.6).
   *
   * @param width slack of the first decision, on the reward's scale
   */
  record Screen(RidgeEffects effects, double tau, double width, double cap)
      implements LinearFairness {
    /** Returns the slack of the t-th decision. */
    double slack(long t) {
      return width / StrictMath.cbrt((double) t);
    }
  }
}
