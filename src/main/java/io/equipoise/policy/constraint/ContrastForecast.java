package io.equipoise.policy.constraint;

import io.equipoise.policy.CertificateForecast;

/**
 * Forecasts how many decisions the W interval of one contrast needs until it certifies, before
 * anything was observed: certificates specification, section 7. The forecast puts the expected
 * weights, variance and penalties into the boundary (B). Immutable.
 *
 * @param dimension d of the ridge or logistic model
 * @param contrasts J, the contrasts that share delta
 */
public record ContrastForecast(Expected expected, int dimension, int contrasts)
    implements CertificateForecast {
  private static final double FEWEST_DECISIONS = 10;

  /** V / N under the weights of section 3.2, as measured. */
  private static final double INFORMATION_COST = 1.07;

  private static final double KNOWN_SHARE = 0.9;
  private static final int STEPS = 100;

  /** Checks the counts. */
  public ContrastForecast {
    if (dimension < 1 || contrasts < 1) {
      throw new IllegalArgumentException(
          dimension + " features and " + contrasts + " contrasts must be at least 1 each");
    }
  }

  /**
   * The interval after some decisions.
   *
   * @param halfWidth u / N
   * @param deviation standard deviation of the estimate
   * @param information N
   */
  public record Interval(double halfWidth, double deviation, double information) {}

  /** Returns the interval after some decisions of the segment. */
  public Interval after(double decisions, Question question) {
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
    double alpha = KNOWN_SHARE * expected.delta() / (2 * contrasts);
    double bound = ContrastBoundary.of(lambdas, penalties, squares, alpha);
    return new Interval(
        bound / information, Math.sqrt(variance * squares) / information, information);
  }

  private static double curvature(double lambda, double mean) {
    return ContrastBoundary.psi(lambda * mean / 2) / (mean * mean / 4);
  }

  @Override
  public double decisions(Question question, double limit, double quantile) {
    double low = FEWEST_DECISIONS;
    double high = NEVER;
    for (int step = 0; step < STEPS; step++) {
      double middle = Math.sqrt(low * high);
      Interval interval = after(middle, question);
      double reach = interval.halfWidth() + quantile * interval.deviation();
      boolean isCertified = reach + Math.abs(question.effect()) <= limit;
      low = isCertified ? low : middle;
      high = isCertified ? middle : high;
    }
    return high;
  }

  @Override
  public double certified(Question question, double decisions) {
    Interval interval = after(decisions, question);
    return CertificateForecast.within(
        expected.tau(), question.effect(), interval.halfWidth(), interval.deviation());
  }
}
