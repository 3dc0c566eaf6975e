package io.equipoise.policy.tabular;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.kernel.Logarithm;

/**
 * Limits the mean of one cell with rewards in a known range by two mixtures of coins
 * (docs/math/cells.md#one-cell-with-two-mixtures-of-coins). For n rewards scaled to [0, 1] with sum
 * S and a mean mu,
 *
 * <pre>
 * W(mu) = (N(mu) + J(mu)) / 2
 * N(mu) = B(k mu + S, k (1 - mu) + n - S) / (B(k mu, k (1 - mu)) mu^S (1 - mu)^(n - S))
 * J(mu) = B(1/2 + S, 1/2 + n - S) / (B(1/2, 1/2) mu^S (1 - mu)^(n - S))
 * </pre>
 *
 * <p>is a supermartingale from 1 at the true mean: x to (q/mu)^x ((1-q)/(1-mu))^(1-x) is convex, so
 * any reward in [0, 1] earns at most what a coin does. By Ville's inequality {mu: W(mu) &lt;
 * 1/alpha} holds the mean at all n at once but for probability alpha. N has its prior at the mean
 * under test and pays (1/2) ln(1 + n/k) only; J is better below n = k. The limits are the ends of
 * the set, found from S/n outwards.
 *
 * <p>Immutable, but for limits kept of cells asked for before. Safe for use by many threads.
 */
public final class BetaMixture implements ConfidenceSequence {
  /** The number of observations at which k makes the limits tightest. */
  private static final double TIGHTEST_AT = 1000;

  /** Halvings of an interval within [0, 1]; its outer end is the limit. */
  private static final int HALVINGS = 60;

  /** Cells whose limits are kept. */
  private static final int KEPT = 1 << 12;

  private static final double LOG_TWO = StrictMath.log(2);
  private static final double LOG_BETA_OF_HALVES = StrictMath.log(Math.PI);

  private final double low;
  private final double high;
  private final double logOneOverAlpha;
  private final double kappa;
  private final Known[] kept = new Known[KEPT];

  /** The limits of a cell with n rewards whose scaled sum is s, scaled. */
  private record Known(double n, double s, double lower, double upper) {}

  /** Limits means in [low, high] so that one cell is ever wrong with probability at most alpha. */
  public BetaMixture(double low, double high, double alpha) {
    this.low = low;
    this.high = high;
    logOneOverAlpha = -StrictMath.log(alpha);
    kappa = TIGHTEST_AT / (2 * logOneOverAlpha + StrictMath.log(1 + 2 * logOneOverAlpha));
  }

  @Override
  public double low() {
    return low;
  }

  @Override
  public double high() {
    return high;
  }

  @Override
  public AuditGuarantee guarantee() {
    return AuditGuarantee.ANYTIME;
  }

  @Override
  public void limit(CellBlock block, int cell, long t, double[] ends) {
    double n = block.n(cell);
    limit(n, Math.max(0, Math.min(n, n * (block.mean(cell) - low) / (high - low))), ends);
  }

  /**
   * Limits the mean of rewards.
   *
   * @param n how many there are, above 0
   * @param s their sum, scaled to [0, n]
   * @param ends gets the lower and the upper end
   */
  public void limit(double n, double s, double[] ends) {
    int slot = ((31 * Double.hashCode(n) + Double.hashCode(s)) * 0x9E3779B9) >>> 20;
    Known known = kept[slot];
    if (known == null || known.n() != n || known.s() != s) {
      known = new Known(n, s, end(n, s, 0), end(n, s, 1));
      kept[slot] = known;
    }
    ends[0] = low + (high - low) * known.lower();
    ends[1] = low + (high - low) * known.upper();
  }

  /** Returns the end of the set between the mean of the rewards and 0 or 1. */
  private double end(double n, double s, double bound) {
    if (s == n * bound) {
      return bound;
    }
    double inner = s / n;
    double outer = bound;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (inner + outer) / 2;
      if (logWealth(n, s, middle) < logOneOverAlpha) {
        inner = middle;
      } else {
        outer = middle;
      }
    }
    return outer;
  }

  /** Returns ln W(mu) for mu in (0, 1). */
  double logWealth(double n, double s, double mu) {
    return average(logNullCentered(n, s, mu, kappa), logJeffreys(n, s, mu));
  }

  private static double average(double one, double other) {
    double greater = Math.max(one, other);
    double less = Math.min(one, other);
    return greater + StrictMath.log1p(StrictMath.exp(less - greater)) - LOG_TWO;
  }

  /** Returns ln N(mu) for mu in (0, 1). */
  static double logNullCentered(double n, double s, double mu, double kappa) {
    double a = kappa * mu;
    double b = kappa * (1 - mu);
    return LogBeta.of(a + s, b + n - s) - LogBeta.of(a, b) - logLikelihood(n, s, mu);
  }

  /** Returns ln J(mu) for mu in (0, 1). */
  private static double logJeffreys(double n, double s, double mu) {
    return LogBeta.of(0.5 + s, 0.5 + n - s) - LOG_BETA_OF_HALVES - logLikelihood(n, s, mu);
  }

  private static double logLikelihood(double n, double s, double mu) {
    return s * StrictMath.log(mu) + (n - s) * StrictMath.log1p(-mu);
  }

  /**
   * Computes the logarithm of Euler's beta function, with the same bits on every machine.
   * Parameters below 10 are shifted up by B(a, b) = B(a + 1, b) (a + b) / a; from there on
   * Stirling's series is exact to rounding. Its large terms are taken together, so that nothing is
   * lost where a + b is large.
   */
  static final class LogBeta {
    private static final double SHIFTED = 10;
    private static final double HALF_LOG_TWO_PI = StrictMath.log(2 * Math.PI) / 2;

    /** Coefficients of 1/z, 1/z^3, ... in Stirling's series of ln Gamma(z). */
    private static final double[] STIRLING = {
      1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360_360
    };

    private LogBeta() {}

    /** Returns ln B(a, b) of two parameters above 0. */
    static double of(double a, double b) {
      double one = a;
      double other = b;
      double ratio = 1;
      while (one < SHIFTED) {
        ratio *= (one + other) / one;
        one++;
      }
      while (other < SHIFTED) {
        ratio *= (one + other) / other;
        other++;
      }
      double sum = one + other;
      double powers =
          (one - 0.5) * Logarithm.of(one / sum)
              + (other - 0.5) * Logarithm.of(other / sum)
              - Logarithm.of(sum) / 2;
      double series = stirling(one) + stirling(other) - stirling(sum);
      double shifted = powers + HALF_LOG_TWO_PI + series;
      return ratio == 1 ? shifted : shifted + Logarithm.of(ratio);
    }

    private static double stirling(double z) {
      double inverse = 1 / z;
      double square = inverse * inverse;
      double sum = 0;
      for (int i = STIRLING.length - 1; i >= 0; i--) {
        sum = sum * square + STIRLING[i];
      }
      return sum * inverse;
    }
  }
}
