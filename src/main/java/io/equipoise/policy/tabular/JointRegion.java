package io.equipoise.policy.tabular;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.kernel.Logarithm;
import io.equipoise.policy.tabular.BetaMixture.LogBeta;
import org.jspecify.annotations.Nullable;

/**
 * Limits a linear function of cell means, sum c_i mu_i, by one region for all cells of a comparison
 * together in place of one interval for each (docs/math/cells.md#the-joint-region). With rewards
 * scaled to [0, 1], n_i rewards of sum S_i in cell i, a = 2 n^2 / (n + rho) and m = S / n:
 *
 * <pre>
 * Gauss  sum_i a_i (m_i - mu_i)^2 &lt; ln(2/alpha) + sum_i (1/2) ln((n_i + rho) / rho)
 * Beta   sum_i h_i(mu_i) &lt; ln(2/alpha),
 *        h = ln B(1/2 + S, 1/2 + n - S) - ln B(1/2, 1/2) - S ln mu - (n - S) ln(1 - mu)
 * </pre>
 *
 * <p>Both sides are logarithms of supermartingales at the true means (a mixture over normal shifts
 * and one over coins), however arms are chosen, so by Ville's inequality the means are in both
 * regions at all times but for probability alpha. An end is the lesser of the two suprema. It holds
 * for every c over the same set of cells: alpha is delta / (number of sets that are compared), and
 * cells whose coefficient is 0 count as well. A cell without a reward takes the whole range outside
 * of both regions.
 *
 * <p>The Gauss supremum has a closed form once it is known which means are at 0 or 1. The Beta
 * supremum is found by its dual: for any multiplier t, t ln(2/alpha) + max_mu (sum c mu - t sum h)
 * is no less than it, and equals it at the best t.
 *
 * <p>A function of its arguments. It keeps cells, up to a bound, and is safe for use by many
 * threads.
 */
final class JointRegion implements CellConfidence {
  /** A certificate is refused early only where rounding cannot be the cause. */
  private static final double MARGIN = 1e-12;

  /** The number of observations at which rho makes the Gauss region tightest. */
  private static final double TIGHTEST_AT = 1000;

  private static final double LOG_BETA_OF_HALVES = StrictMath.log(Math.PI);

  /** Whole numbers have nothing in the lower half of their hashes, nor have products of these. */
  private static final int SPREAD = 16;

  private final double low;
  private final double span;

  /** Ln(2/alpha). */
  final double limit;

  private final double rho;
  private final Cell[] keptCells;

  /**
   * Summarizes a cell for both regions.
   *
   * @param s sum of the scaled rewards
   * @param rest n - s
   * @param mean s / n
   * @param perMean n / s
   * @param perRest n / (n - s)
   * @param variance 1 / a; 0 without a reward
   * @param precision a
   * @param ownVariance of the mean, from the rewards; smoothed, as it begins a search only
   * @param curvature 1 / (mean (1 - mean))
   * @param budget what the cell adds to the right side of the Gauss region
   * @param least h at the mean, its least value
   */
  record Cell(
      double n,
      double s,
      double rest,
      double mean,
      double perMean,
      double perRest,
      double variance,
      double precision,
      double ownVariance,
      double curvature,
      double budget,
      double least) {
    static final Cell UNSEEN = new Cell(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    boolean isUnseen() {
      return n == 0;
    }
  }

  /**
   * Limits functions of means in [low, high].
   *
   * @param alpha probability that the region of one set of cells is ever wrong
   * @param cells how many cells there are, for what is kept
   */
  JointRegion(double low, double high, double alpha, double cells) {
    this(low, high, StrictMath.log(2 / alpha), tightest(-StrictMath.log(alpha)), cells);
  }

  /** Takes the right side of both regions, without the budgets of cells, and rho. */
  JointRegion(double low, double high, double limit, double rho, double cells) {
    this.low = low;
    span = high - low;
    this.limit = limit;
    this.rho = rho;
    int wanted = (int) Math.min(1 << 16, Math.max(1 << 12, 4 * cells));
    keptCells = new Cell[Integer.highestOneBit(wanted)];
  }

  /** Howard et al. 2021, section 3.5, as for {@link SubGaussian}. */
  static double tightest(double logOneOverAlpha) {
    return TIGHTEST_AT / (2 * logOneOverAlpha + StrictMath.log(1 + 2 * logOneOverAlpha));
  }

  @Override
  public AuditGuarantee guarantee() {
    return AuditGuarantee.ANYTIME;
  }

  @Override
  public CellLimits limits(@Nullable CellBlock block, int cells, long t) {
    return new CellLimits(block, cells, this, low, low + span);
  }

  /** Returns what the regions need of a cell with n rewards of a mean. */
  Cell cell(long n, double mean) {
    if (n == 0) {
      return Cell.UNSEEN;
    }
    double s = Math.max(0, Math.min((double) n, n * ((mean - low) / span)));
    int hash = (31 * Double.hashCode((double) n) + Double.hashCode(s)) * 0x9E3779B9;
    int slot = (hash >>> SPREAD) & (keptCells.length - 1);
    Cell known = keptCells[slot];
    if (known == null || known.n() != n || known.s() != s) {
      known = made((double) n, s);
      keptCells[slot] = known;
    }
    return known;
  }

  private Cell made(double n, double s) {
    double rest = n - s;
    double least = LogBeta.of(0.5 + s, 0.5 + rest) - LOG_BETA_OF_HALVES;
    least -= s == 0 ? 0 : s * Logarithm.of(s / n);
    least -= rest == 0 ? 0 : rest * Logarithm.of(rest / n);
    return new Cell(
        n,
        s,
        rest,
        s / n,
        n / s,
        n / rest,
        (n + rho) / (2 * n * n),
        2 * n * n / (n + rho),
        (s + 0.5) * (rest + 0.5) / ((n + 1) * (n + 1) * n),
        n / s * (n / rest),
        Logarithm.of((n + rho) / rho) / 2,
        least);
  }

  /** Fills in the lower and the upper end of sum c_i mu_i, over the first coefficients. */
  void ends(double[] c, JointCells cells, double[] ends) {
    double shift = shift(c, cells.count);
    JointEnd end = new JointEnd(this, c, cells);
    ends[0] = shift - span * end.end(-1);
    ends[1] = shift + span * end.end(1);
  }

  /**
   * Returns the greatest |sum c_i mu_i| of the ends; or, where that is cheaper, any number that is
   * on the same side of a threshold, at most it or above it.
   *
   * @param threshold NaN for the greatest itself
   */
  double size(double[] c, JointCells cells, double threshold) {
    JointEnd end = new JointEnd(this, c, cells);
    double shift = shift(c, cells.count);
    int first = end.middle(1) >= end.middle(-1) ? 1 : -1;
    double[] found = new double[2];
    boolean[] isKnown = new boolean[2];
    for (int side = 0; side < 2 && !Double.isNaN(threshold); side++) {
      int sign = side == 0 ? first : -first;
      double own = (threshold - sign * shift) / span;
      found[side] = end.free(sign);
      isKnown[side] = end.isDecided(sign, found[side], own);
      if (!isKnown[side]) {
        found[side] = end.inside(sign, own);
        isKnown[side] = isClearlyAbove(found[side], own);
      }
      double size = sign * shift + span * found[side];
      if (isKnown[side] && size > threshold) {
        return size;
      }
    }
    double size = Double.NEGATIVE_INFINITY;
    for (int side = 0; side < 2 && !(size > threshold); side++) {
      int sign = side == 0 ? first : -first;
      if (!isKnown[side]) {
        found[side] = end.within(sign, (threshold - sign * shift) / span);
      }
      size = Math.max(size, sign * shift + span * found[side]);
    }
    return size;
  }

  /** Returns how far apart the means of some of the cells of a comparison can be. */
  double width(JointCells cells, int first, int end) {
    double budget = limit + cells.budget;
    double least = 1;
    double greatest = 0;
    for (int i = first; i < end; i++) {
      double reach = cells.n[i] == 0 ? 1 : Math.sqrt(budget * cells.variance[i]);
      least = Math.min(least, Math.max(0, cells.mean[i] - reach));
      greatest = Math.max(greatest, Math.min(1, cells.mean[i] + reach));
    }
    return span * (greatest - least);
  }

  /** Returns whether a value is so far above a threshold that rounding cannot be the cause. */
  static boolean isClearlyAbove(double value, double threshold) {
    return value > threshold + MARGIN;
  }

  /** Returns the same for a value that is at most the threshold. */
  static boolean isClearlyWithin(double value, double threshold) {
    return value <= threshold - MARGIN;
  }

  private double shift(double[] c, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += c[i];
    }
    return low * sum;
  }
}
