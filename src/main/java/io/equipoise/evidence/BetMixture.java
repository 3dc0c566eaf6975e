package io.equipoise.evidence;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bets on scores at {@value #COUNT} fixed rates (docs/math/watch.md#bets). The mean of the bets is
 * evidence that the running mean of the conditional expectations of the scores exceeds x, at all
 * rows at once.
 *
 * <p>Row n with scores g_j and center c = clip(mean of the scores before, -1, 1):
 *
 * <pre>
 *   L_j  = sum of ln(1 + lambda_j (g_j - c))     lambda_j = 0.2 / 2^j
 *   E(x) = ln mean_j exp(L_j + lambda_j (C - n x))   C = sum of c
 * </pre>
 *
 * <p>L_j is kept as a product and a power of 2^256, so a row costs no logarithm. Mutable.
 */
public final class BetMixture {
  public static final int COUNT = 12;

  private static final int LAST = COUNT - 1;
  private static final int HALVINGS = 80;
  private static final double LARGEST = 0x1p256;
  private static final double LOG_LARGEST = 256 * StrictMath.log(2);
  private static final double[] RATES = new double[COUNT];

  static {
    for (int j = 0; j < COUNT; j++) {
      RATES[j] = 0.2 / (1 << j);
    }
  }

  private long rows;
  private double sum;
  private double squares;
  private double center;
  private final double[] products = new double[COUNT];
  private final long[] powers = new long[COUNT];

  /** L_j of the rows so far; computed at a look, null after a row. */
  private double @Nullable [] logs;

  public BetMixture() {
    Arrays.fill(products, 1);
  }

  /** Returns k_j = 0.5 / lambda_j: a score below -k_j - 2 could lose more than the bet allows. */
  static double cut(int rate) {
    return 0.5 / RATES[rate];
  }

  /**
   * Adds a row.
   *
   * @param scores one for each rate; the last has the greatest cut
   */
  public void add(double[] scores) {
    double c = rows == 0 ? 0 : Math.max(-1, Math.min(1, sum / rows));
    for (int j = 0; j < COUNT; j++) {
      double product = products[j] * (1 + RATES[j] * (scores[j] - c));
      if (product > LARGEST) {
        product /= LARGEST;
        powers[j]++;
      } else if (product < 1 / LARGEST) {
        product *= LARGEST;
        powers[j]--;
      }
      products[j] = product;
    }
    sum += scores[LAST];
    squares += scores[LAST] * scores[LAST];
    center += c;
    rows++;
    logs = null;
  }

  public long rows() {
    return rows;
  }

  /** Returns the mean of the scores with the greatest cut, 0 without a row. */
  public double mean() {
    return rows == 0 ? 0 : sum / rows;
  }

  /** Returns the mean square of these scores less their squared mean. */
  public double variance() {
    return rows == 0 ? 0 : Math.max(0, squares / rows - mean() * mean());
  }

  /** Returns the logarithm of each bet that the running mean exceeds x. */
  double[] bets(double x) {
    double[] known = logs;
    if (known == null) {
      known = new double[COUNT];
      for (int j = 0; j < COUNT; j++) {
        known[j] = StrictMath.log(products[j]) + LOG_LARGEST * powers[j];
      }
      logs = known;
    }
    double[] bets = new double[COUNT];
    for (int j = 0; j < COUNT; j++) {
      bets[j] = known[j] + RATES[j] * (center - rows * x);
    }
    return bets;
  }

  /** Returns the logarithm of the evidence that the running mean exceeds x; it decreases in x. */
  public double evidence(double x) {
    return LogMeanExp.of(bets(x));
  }

  /**
   * Returns an end that the running mean falls below, at any row ever, with at most a probability
   * of {@code level}.
   *
   * @param low the least value that the end can have
   * @param high the greatest one
   */
  public double lower(double level, double low, double high) {
    double threshold = StrictMath.log(1 / level);
    return rows == 0 ? low : Ends.lower(x -> evidence(x) > threshold, low, high, HALVINGS);
  }
}
