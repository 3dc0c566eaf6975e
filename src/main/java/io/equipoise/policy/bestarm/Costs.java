package io.equipoise.policy.bestarm;

import java.util.Arrays;

/** States what a pull of each arm costs, and how much a pull may cost on average. Immutable. */
public final class Costs {
  private final double[] ofArm;
  private final double budget;
  private final int cheapest;

  /**
   * Takes costs of at least 0.
   *
   * @param budget B, the greatest mean cost of a pull
   * @throws IllegalArgumentException if no arm costs at most B
   */
  public Costs(double[] ofArm, double budget) {
    this.ofArm = ofArm.clone();
    this.budget = budget;
    int least = 0;
    for (int arm = 0; arm < ofArm.length; arm++) {
      if (!(ofArm[arm] >= 0 && ofArm[arm] < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("arm " + arm + " costs " + ofArm[arm]);
      }
      least = ofArm[arm] < ofArm[least] ? arm : least;
    }
    cheapest = least;
    if (!(ofArm[least] <= budget && budget < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the budget of " + budget + " a pull buys no arm; the cheapest costs " + ofArm[least]);
    }
  }

  /** Returns the paper's costs: the incumbent is free, others cost 1, B = 1 / sqrt(T). */
  public static Costs paper(int arms, int incumbent, int samples) {
    double[] ofArm = new double[arms];
    Arrays.fill(ofArm, 1);
    ofArm[incumbent] = 0;
    return new Costs(ofArm, 1 / Math.sqrt(samples));
  }

  public double of(int arm) {
    return ofArm[arm];
  }

  public int arms() {
    return ofArm.length;
  }

  /** Returns B. */
  public double budget() {
    return budget;
  }

  /** Returns the first of the arms that cost least. */
  public int cheapest() {
    return cheapest;
  }

  /** Returns what counts, by type and arm, cost together. */
  public double total(int[][] counts) {
    double total = 0;
    for (int[] ofType : counts) {
      for (int arm = 0; arm < ofType.length; arm++) {
        total += ofType[arm] * ofArm[arm];
      }
    }
    return total;
  }
}
