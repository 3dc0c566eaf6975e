package io.equipoise.policy;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * The joint region for cells with rewards in [0, 1] by plain search: a multiplier by halving, and
 * for each the best mean of every cell by golden sections. Shares no code with what it checks.
 */
public final class NaiveRegion {
  static final double LOW = 0;
  static final double HIGH = 1;

  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final int SECTIONS = 48;
  private static final int HALVINGS = 60;

  private static final double[] LANCZOS = {
    0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531,
    -176.6150291621406, 12.507343278686905, -0.13857109526572012, 9.984369578019572e-6,
    1.5056327351493116e-7
  };

  private final double logTwoOverAlpha;
  private final double rho;

  public NaiveRegion(double alpha) {
    logTwoOverAlpha = Math.log(2 / alpha);
    rho = 1000 / (-2 * Math.log(alpha) + Math.log(1 - 2 * Math.log(alpha)));
  }

  /** Returns the greatest sign * sum c mu in both regions. */
  public double end(double[] c, List<List<Double>> rewards, int sign) {
    int cells = c.length;
    DoubleUnaryOperator[] gauss = new DoubleUnaryOperator[cells];
    DoubleUnaryOperator[] beta = new DoubleUnaryOperator[cells];
    double unseen = 0;
    double[] k = new double[cells];
    double gaussBudget = logTwoOverAlpha;
    for (int i = 0; i < cells; i++) {
      double n = rewards.get(i).size();
      if (n == 0) {
        unseen += Math.max(0, sign * c[i]);
        continue;
      }
      k[i] = sign * c[i];
      double s = rewards.get(i).stream().mapToDouble(x -> x).sum();
      gaussBudget += Math.log((n + rho) / rho) / 2;
      gauss[i] = mu -> 2 * Math.pow(s - n * mu, 2) / (n + rho);
      double constant = logBeta(.5 + s, .5 + n - s) - logBeta(.5, .5);
      beta[i] =
          mu ->
              constant
                  - (s == 0 ? 0 : s * Math.log(mu))
                  - (n - s < 1e-12 ? 0 : (n - s) * Math.log1p(-mu));
    }
    return unseen + Math.min(supremum(k, gauss, gaussBudget), supremum(k, beta, logTwoOverAlpha));
  }

  private static double supremum(double[] c, DoubleUnaryOperator[] costs, double budget) {
    double low = -25;
    double high = 15;
    double found = 0;
    for (int halving = 0; halving < HALVINGS; halving++) {
      double multiplier = Math.exp((low + high) / 2);
      double spent = 0;
      double value = 0;
      for (int i = 0; i < c.length; i++) {
        if (costs[i] != null) {
          double mu = best(c[i], multiplier, costs[i]);
          spent += costs[i].applyAsDouble(mu);
          value += c[i] * mu;
        }
      }
      if (spent > budget) {
        low = (low + high) / 2;
      } else {
        high = (low + high) / 2;
        found = value;
      }
    }
    return found;
  }

  private static double best(double c, double multiplier, DoubleUnaryOperator cost) {
    double left = 0;
    double right = 1;
    for (int i = 0; i < SECTIONS; i++) {
      double one = right - GOLDEN * (right - left);
      double other = left + GOLDEN * (right - left);
      double atOne = c * one - multiplier * cost.applyAsDouble(one);
      double atOther = c * other - multiplier * cost.applyAsDouble(other);
      if (atOne < atOther) {
        left = one;
      } else {
        right = other;
      }
    }
    return (left + right) / 2;
  }

  private static double logBeta(double a, double b) {
    return logGamma(a) + logGamma(b) - logGamma(a + b);
  }

  private static double logGamma(double z) {
    double x = z - 1;
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (x + i);
    }
    double t = x + LANCZOS.length - 1.5;
    return Math.log(2 * Math.PI) / 2 + (x + .5) * Math.log(t) - t + Math.log(sum);
  }
}
