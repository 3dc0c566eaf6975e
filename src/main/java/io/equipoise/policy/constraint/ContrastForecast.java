package io.equipoise.policy.constraint;

import io.equipoise.policy.kernel.Logarithm;

/**
 * Forecasts how many decisions the W interval of one contrast needs until it certifies, before
 * anything was observed: docs/math/weighted-sums.md#forecasts. The forecast puts the expected
 * weights, variance and penalties into the boundary (B). Immutable.
 *
 * @param dimension d of the ridge or logistic model
 * @param alpha the probability with which one side of the contrast may ever miss
 */
public record ContrastForecast(Expected expected, int dimension, double alpha)
    implements IntervalForecast {
  /** V / N under the weights of W, as measured. */
  private static final double INFORMATION_COST = 1.07;

  /** Standard deviation of true effects that can be certified, in tau. */
  private static final double USUAL_EFFECT = 0.5;

  /** V from which N says how much a reward brings. */
  private static final double FEWEST_SQUARES = 20;

  /** Halvings of the logarithm of a number of rewards: two digits are right. */
  private static final int STEPS_LEFT = 14;

  /** Checks the numbers. */
  public ContrastForecast {
    if (dimension < 1 || !(alpha > 0 && alpha < 1)) {
      throw new IllegalArgumentException(
          dimension + " features must be at least 1, alpha " + alpha + " inside 0 to 1");
    }
  }

  @Override
  public ForecastInterval after(double decisions, Question question) {
    Levels levels = question.levels();
    double rewards = expected.answered() * decisions * question.armShare();
    double information = rewards / (1 / levels.oneShare() + 1 / levels.otherShare());
    double squares = INFORMATION_COST * information;
    double counted = Math.max(2, rewards);
    double mean = expected.baseRate();
    double variance = mean * (1 - mean);
    double noise = variance * (1 + dimension * StrictMath.log(1 + counted / dimension) / counted);
    double[] lambdas = ContrastBoundary.grid(expected.tau());
    double[] penalties = new double[lambdas.length];
    for (int j = 0; j < lambdas.length; j++) {
      penalties[j] =
          squares * noise * (curvature(lambdas[j], mean) + curvature(lambdas[j], 1 - mean)) / 2;
    }
    double bound = ContrastBoundary.of(lambdas, penalties, squares, alpha);
    return new ForecastInterval(
        bound / information, Math.sqrt(variance * squares) / information, information);
  }

  private static double curvature(double lambda, double mean) {
    return Logarithm.psi(lambda * mean / 2) / (mean * mean / 4);
  }

  /**
   * Carries what a contrast has learned, in shares of the range of rewards.
   *
   * @param rewards that count for the contrast
   * @param information N; 0 before any
   * @param squares V
   * @param lambdas the grid
   * @param above the penalties of the lower end
   * @param below the penalties of the upper end
   * @param imbalance b / N
   * @param lower end of the interval
   * @param upper end of the interval
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
  public record Learned(
      double rewards,
      double information,
      double squares,
      double[] lambdas,
      double[] above,
      double[] below,
      double estimate,
      double imbalance,
      double lower,
      double upper) {}

  /**
   * Returns the rewards that a contrast still needs to be certified, half of the time: N, V and the
   * penalties grow from what they are as {@link #after} expects it of the rewards to come. The true
   * effect is taken to be the estimate, drawn towards 0 by what it may be off: a starved arm's says
   * little. At least 1, at most {@link #NEVER}.
   *
   * @param levels the shares of the people who have them
   * @param least a number of rewards that is returned if fewer do
   */
  public double rewardsLeft(Learned now, Levels levels, double least) {
    double perReward =
        now.squares() >= FEWEST_SQUARES && now.information() > 0
            ? now.information() / now.rewards()
            : 1 / (1 / levels.oneShare() + 1 / levels.otherShare());
    double low = Math.max(1, least);
    double high = NEVER;
    if (!(perReward > 0) || !isEnough(now, perReward, high)) {
      return NEVER;
    }
    if (isEnough(now, perReward, low)) {
      return low;
    }
    for (int step = 0; step < STEPS_LEFT; step++) {
      double middle = Math.sqrt(low * high);
      boolean isCertified = isEnough(now, perReward, middle);
      low = isCertified ? low : middle;
      high = isCertified ? middle : high;
    }
    return high;
  }

  private boolean isEnough(Learned now, double perReward, double more) {
    double mean = expected.baseRate();
    double variance = mean * (1 - mean);
    double known = Math.max(0, now.information());
    double grown = perReward * more;
    double information = known + grown;
    double share = known / information;
    double squares = now.squares() + INFORMATION_COST * grown;
    double logs =
        StrictMath.log1p((now.rewards() + more) / dimension)
            - StrictMath.log1p(now.rewards() / dimension);
    double noise = INFORMATION_COST * grown * variance * (1 + dimension * logs / more);
    double tau = expected.tau();
    double off = known == 0 ? 0 : variance * now.squares() / (known * known);
    double usual = USUAL_EFFECT * tau * (USUAL_EFFECT * tau);
    double drawn = known == 0 ? 0 : now.estimate() * usual / (usual + off);
    double estimate = share * now.estimate() + (1 - share) * drawn;
    double spread =
        MEDIAN * (1 - share) * Math.sqrt(variance * INFORMATION_COST / information)
            + now.imbalance() * share * Math.sqrt(share);
    double[] above = new double[now.lambdas().length];
    double[] below = new double[above.length];
    for (int j = 0; j < above.length; j++) {
      double lambda = now.lambdas()[j];
      double added = noise * (curvature(lambda, mean) + curvature(lambda, 1 - mean)) / 2;
      above[j] = now.above()[j] + added;
      below[j] = now.below()[j] + added;
    }
    return isWithin(now, now.upper(), estimate + spread, below, squares, information)
        && isWithin(now, -now.lower(), spread - estimate, above, squares, information);
  }

  private boolean isWithin(
      Learned now,
      double end,
      double middle,
      double[] penalties,
      double squares,
      double information) {
    double room = expected.tau() - middle;
    if (end <= expected.tau() || room <= 0) {
      return end <= expected.tau();
    }
    return ContrastBoundary.of(now.lambdas(), penalties, squares, alpha) <= room * information;
  }
}
