package io.equipoise.policy.allocation;

/**
 * Determines how sure OAM wants to be over n rounds:
 *
 * <pre>
 * f_{n,delta} = sigma^2 (2 (1 + 1 / ln n) ln(1 / delta) + kappa d ln(d ln n)),   f_n = f_{n,1/n}
 * </pre>
 *
 * @param rounds n, at least 3
 * @param dimension d, of the span of the features
 * @param variance sigma^2 of the noise: 1 is sub-Gaussian noise of scale 1, a quarter is enough for
 *     rewards in [0, 1]
 * @param kappa the constant that the paper leaves open; 0 leaves the term out
 * @param forced epsilon: the share of explored rounds below which an arm is pulled at once. Every
 *     round is forced at the 1 / ln ln n of the analysis, so choose it small
 */
public record OamSchedule(
    long rounds, int dimension, double variance, double kappa, double forced) {
  public OamSchedule {
    if (rounds < 3 || dimension < 1) {
      throw new IllegalArgumentException(rounds + " rounds, dimension " + dimension);
    }
    if (!(variance > 0 && kappa >= 0 && forced >= 0 && forced <= 1)) {
      throw new IllegalArgumentException(
          "variance " + variance + ", kappa " + kappa + ", forced " + forced);
    }
  }

  /** Returns whether a schedule differs at most in the dimension, which follows from the arms. */
  boolean hasSettingsOf(OamSchedule other) {
    return equals(
        new OamSchedule(other.rounds, dimension, other.variance, other.kappa, other.forced));
  }

  /** Returns f_n. */
  double confidence() {
    return at(StrictMath.log((double) rounds));
  }

  /** Returns f_{n, 1/s^2}. */
  double confidenceAfter(long explored) {
    return at(2 * StrictMath.log((double) explored));
  }

  private double at(double logOfInverseDelta) {
    double logRounds = StrictMath.log((double) rounds);
    double union = kappa == 0 ? 0 : kappa * dimension * StrictMath.log(dimension * logRounds);
    return variance * (2 * (1 + 1 / logRounds) * logOfInverseDelta + Math.max(0, union));
  }

  /** Returns the least gap that n rounds can resolve; smaller ones count as this. */
  double resolution() {
    return Math.sqrt(confidence() / (4.0 * (double) rounds));
  }
}
