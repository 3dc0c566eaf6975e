package io.equipoise.policy.tabular;

/**
 * The regret bounds of Huang, Zhang and Wu 2022 for a number of rounds, in units of the reward.
 *
 * <p>The text of both theorems is damaged in the source; this is our reading. They are worst-case
 * bounds: for few rounds they exceed the maximum loss and are vacuous.
 */
record RegretBounds(double cells, double rounds, double delta) {

  /** Theorem 1: sqrt(|W| T ln T) ln T + sqrt(32 |W| T ln(1/delta)), with |W| cells. */
  double causal() {
    double log = StrictMath.log(rounds);
    return Math.sqrt(cells * rounds * log) * log
        + Math.sqrt(32 * cells * rounds * StrictMath.log(1 / delta));
  }

  /**
   * Theorem 3: (2 / (tau - Delta_0) + 1) (2 sqrt(2 T |W| ln(1/delta)) + 4 sqrt(T ln(2/delta)
   * ln(1/delta))). The safe arms have no effect: Delta_0 = 0.
   */
  double fair(double tau) {
    double log = StrictMath.log(1 / delta);
    return (2 / tau + 1)
        * (2 * Math.sqrt(2 * rounds * cells * log)
            + 4 * Math.sqrt(rounds * StrictMath.log(2 / delta) * log));
  }
}
