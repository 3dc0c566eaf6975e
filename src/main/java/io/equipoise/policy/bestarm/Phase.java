package io.equipoise.policy.bestarm;

/**
 * One phase of a plan.
 *
 * @param place its place in the plan, from 0
 * @param stage what it looks for
 * @param l its number within the stage, from 1; it sets clips and thresholds
 * @param pulls tau(l), the samples it may take
 */
public record Phase(int place, SearchStage stage, int l, int pulls) {
  /**
   * Returns 3 / 2^l, the paper's band around an effect. It halves whatever the samples say: it
   * decides which arms stay, and certifies nothing.
   */
  public double effectBand() {
    return 3 * Math.scalb(1.0, -l);
  }

  /** Returns 5 / 2^l, the paper's band between two arms' rewards. */
  public double rewardBand() {
    return 5 * Math.scalb(1.0, -l);
  }
}
