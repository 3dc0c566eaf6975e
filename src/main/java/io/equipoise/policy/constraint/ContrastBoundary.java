package io.equipoise.policy.constraint;

import io.equipoise.policy.kernel.Logarithm;

/**
 * Bounds a weighted sum of noise at all times at once: the mixture boundary of the W interval
 * (docs/math/weighted-sums.md#the-boundary). Pure.
 *
 * <p>For weights w in [-1, 1], rewards r in [0, 1] and guesses f of their mean, all w and f known
 * before r, put V = sum w^2, Y = w (r - f) &gt;= -b, P_j = sum psi(lambda_j b) (Y / b)^2. Then
 * exp(lambda M - P) and exp(lambda M - lambda^2 V / 8), M = sum w (r - E r), are supermartingales
 * from 1 (Fan, Grama and Liu 2015; Hoeffding), and so is their mean over a fixed grid of lambda.
 */
public final class ContrastBoundary {
  /** The number of lambdas. */
  public static final int GRID = 8;

  /** The largest lambda, below 1, where psi is infinite. */
  private static final double LARGEST = 0.9;

  private static final double FINEST = 16;
  private static final double RATIO = 1.6;

  private static final int MAX_STEPS = 100;

  /** The relative step at which a root is found. */
  private static final double PRECISION = 1e-12;

  /** The first relative step back to the right of a root. */
  private static final double ROUNDING = 0x1p-50;

  /** Terms smaller than the greatest by this factor, as a logarithm, are lost in rounding. */
  private static final double LOST = -40;

  /** Powers of 2 in one of e. */
  private static final double PER_LN2 = 1.4426950408889634;

  /** Exponents beyond this, for which a double of 64 bits has no power. */
  private static final double LARGEST_EXPONENT = 700;

  /** A share of a sum that the rounding of two ways to compute it cannot reach. */
  private static final double SURE = 1e-9;

  private static final int BIAS_OF_EXPONENT = 1023;

  private ContrastBoundary() {}

  /**
   * Returns the grid of lambda for a threshold, in falling order.
   *
   * @param tau threshold as a share of the range of rewards, above 0
   */
  public static double[] grid(double tau) {
    if (!(tau > 0 && tau < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("tau " + tau + " must be positive");
    }
    double[] grid = new double[GRID];
    grid[0] = Math.min(LARGEST, FINEST * tau);
    for (int j = 1; j < GRID; j++) {
      grid[j] = grid[j - 1] / RATIO;
    }
    return grid;
  }

  /**
   * Returns the least u &gt;= 0, to 12 digits and never below it, with (1/2J) sum_j [exp(lambda_j u
   * - P_j) + exp(lambda_j u - lambda_j^2 V/8)] &gt;= 1/alpha: the sum exceeds u at any time with a
   * probability of at most alpha.
   *
   * @param lambdas the grid, J numbers in (0, 1)
   * @param penalties P, J numbers of at least 0
   * @param squares V, the sum of squared weights
   * @param alpha in (0, 1)
   */
  public static double of(double[] lambdas, double[] penalties, double squares, double alpha) {
    double[] offsets = new double[2 * lambdas.length];
    double target = -StrictMath.log(alpha) + StrictMath.log((double) offsets.length);
    double high = Double.POSITIVE_INFINITY;
    for (int j = 0; j < lambdas.length; j++) {
      offsets[2 * j] = penalties[j];
      offsets[2 * j + 1] = lambdas[j] * lambdas[j] * squares / 8;
      high = Math.min(high, (penalties[j] + target) / lambdas[j]);
    }
    return root(new Mixture(lambdas, offsets, target), high);
  }

  /**
   * Returns a number that {@link #of} is surely greater than: at least a limit, or 0 where the two
   * are too close to say. Many times as fast as {@link #of}.
   *
   * <p>The logarithm of the mixture is convex in u, and its slope is at most the greatest lambda.
   * So what it lacks of the target at the limit, divided by that, is a part of the way to the root.
   * P and V never fall, so the number also bounds what {@link #of} returns later.
   */
  public static double floor(
      double limit, double[] lambdas, double[] penalties, double squares, double alpha) {
    double greatest = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < lambdas.length; j++) {
      double least = Math.min(penalties[j], lambdas[j] * lambdas[j] * squares / 8);
      greatest = Math.max(greatest, lambdas[j] * limit - least);
    }
    double most = 2 * lambdas.length / alpha * (1 - SURE);
    if (greatest > LARGEST_EXPONENT || atLeastExp(greatest) >= most) {
      return 0;
    }
    double sum = 0;
    for (int j = 0; j < lambdas.length; j++) {
      double up = lambdas[j] * limit;
      sum += atLeastExp(up - penalties[j]);
      sum += atLeastExp(up - lambdas[j] * lambdas[j] * squares / 8);
    }
    return sum < most ? limit + Logarithm.of(most / sum) / lambdas[0] * (1 - SURE) : 0;
  }

  /** Returns a number from exp(x) to 1.0002 exp(x): a power of 2 times a cubic above 2^f. */
  private static double atLeastExp(double x) {
    double power = Math.max(-BIAS_OF_EXPONENT, x * PER_LN2) + BIAS_OF_EXPONENT;
    long whole = (long) power;
    double f = power - whole;
    double cubic = 1.00001 + f * (0.6959 + f * (0.2261 + f * 0.07804));
    return cubic * Double.longBitsToDouble(whole << 52);
  }

  /**
   * Returns {@link #of} where it is less than a limit above 0, else the limit: the faster the
   * closer they are. Ask {@link #floor} first, which is faster still.
   */
  public static double within(
      double limit, double[] lambdas, double[] penalties, double squares, double alpha) {
    double high = Double.POSITIVE_INFINITY;
    double logs = -StrictMath.log(alpha) + StrictMath.log(2.0 * lambdas.length);
    double[] offsets = new double[2 * lambdas.length];
    for (int j = 0; j < lambdas.length; j++) {
      offsets[2 * j] = penalties[j];
      offsets[2 * j + 1] = lambdas[j] * lambdas[j] * squares / 8;
      high = Math.min(high, (penalties[j] + logs) / lambdas[j]);
    }
    return root(new Mixture(lambdas, offsets, logs), Math.min(limit, high));
  }

  /**
   * Returns the same for noise that is sub-Gaussian instead of bounded: (1/J) sum_j exp(lambda_j u
   * - lambda_j^2 R^2 V/2) &gt;= 1/alpha.
   *
   * @param scale R, as a share of the range of rewards
   */
  public static double ofSubGaussian(double[] lambdas, double scale, double squares, double alpha) {
    double[] offsets = new double[2 * lambdas.length];
    double target = -StrictMath.log(alpha) + StrictMath.log((double) offsets.length);
    double high = Double.POSITIVE_INFINITY;
    for (int j = 0; j < lambdas.length; j++) {
      offsets[2 * j] = lambdas[j] * lambdas[j] * scale * scale * squares / 2;
      offsets[2 * j + 1] = offsets[2 * j];
      high = Math.min(high, (offsets[2 * j] + target) / lambdas[j]);
    }
    return root(new Mixture(lambdas, offsets, target), high);
  }

  /** Computes the logarithm of the sum of exp(lambda u - offset), less a target. */
  private static final class Mixture {
    private final double[] lambdas;
    private final double[] offsets;
    private final double target;
    private double slope;

    Mixture(double[] lambdas, double[] offsets, double target) {
      this.lambdas = lambdas;
      this.offsets = offsets;
      this.target = target;
    }

    double at(double u) {
      double most = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < offsets.length; i++) {
        most = Math.max(most, lambdas[i >> 1] * u - offsets[i]);
      }
      double sum = 0;
      double weighted = 0;
      for (int i = 0; i < offsets.length; i++) {
        double lambda = lambdas[i >> 1];
        double below = lambda * u - offsets[i] - most;
        if (below > LOST) {
          double part = StrictMath.exp(below);
          sum += part;
          weighted += part * lambda;
        }
      }
      slope = weighted / sum;
      return most + StrictMath.log(sum) - target;
    }
  }

  /**
   * Returns where the mixture crosses, to 12 digits and never below it; the start where it does not
   * cross before that. It is convex in u, so Newton from the right never passes the root but for
   * rounding, which is stepped back over.
   */
  private static double root(Mixture mixture, double start) {
    double u = start;
    double beyond = mixture.at(u);
    for (int step = 0; beyond >= 0 && step < MAX_STEPS; step++) {
      double back = beyond / mixture.slope;
      double next = u - back;
      if (!(back > PRECISION * u && next > 0)) {
        return u;
      }
      beyond = mixture.at(next);
      for (double by = ROUNDING * next; beyond < 0 && next < u; by *= 2) {
        next = Math.min(u, next + by);
        beyond = mixture.at(next);
      }
      u = next;
    }
    return u;
  }
}
