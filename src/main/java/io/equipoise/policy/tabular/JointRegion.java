package io.equipoise.policy.tabular;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.kernel.Logarithm;
import io.equipoise.policy.tabular.BetaMixture.LogBeta;
import java.util.Arrays;
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
 * <p>A function of its arguments. It keeps answers, up to a bound, and is safe for use by many
 * threads.
 */
final class JointRegion implements CellConfidence {
  /** A certificate is refused early only where rounding cannot be the cause. */
  private static final double MARGIN = 1e-12;

  /** The number of observations at which rho makes the Gauss region tightest. */
  private static final double TIGHTEST_AT = 1000;

  private static final double LOG_BETA_OF_HALVES = StrictMath.log(Math.PI);

  /** Answers kept; each has the coefficients and cells of a comparison. */
  private static final int KEPT_ANSWERS = 1 << 10;

  /** Whole numbers have nothing in the lower half of their hashes, nor have products of these. */
  private static final int SPREAD = 16;

  /** Comparisons over more cells than this are computed each time. */
  private static final int MAX_KEPT_CELLS = 256;

  private final double low;
  private final double span;

  /** Ln(2/alpha). */
  final double limit;

  private final double rho;
  private final Cell[] keptCells;
  private final ComparisonEnds[] keptAnswers = new ComparisonEnds[KEPT_ANSWERS];

  /**
   * Summarizes a cell for both regions.
   *
   * @param s sum of the scaled rewards
   * @param rest n - s
   * @param mean s / n
   * @param perMean n / s
   * @param perRest n / (n - s)
   * @param variance 1 / a; 0 without a reward
   * @param ownVariance of the mean, from the rewards; smoothed, as it begins a search only
   * @param budget what the cell adds to the right side of the Gauss region
   * @param least h at the mean, its least value
   * @param hash of n and s
   */
  record Cell(
      double n,
      double s,
      double rest,
      double mean,
      double perMean,
      double perRest,
      double variance,
      double ownVariance,
      double budget,
      double least,
      int hash) {
    static final Cell UNSEEN = new Cell(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    boolean isUnseen() {
      return n == 0;
    }
  }

  /** Carries the result of a comparison: its ends, or on which side of a threshold its size is. */
  @SuppressWarnings("ArrayRecordComponent") // compared by isOf alone
  private record ComparisonEnds(
      double[] c, Cell[] cells, double threshold, double size, double lower, double upper) {
    boolean isOf(double[] coefficients, Cell[] asked, int count) {
      boolean isSame = c.length == count;
      for (int i = 0; i < count && isSame; i++) {
        Cell cell = cells[i];
        isSame = c[i] == coefficients[i] && cell.n() == asked[i].n() && cell.s() == asked[i].s();
      }
      return isSame;
    }

    boolean hasEnds() {
      return !Double.isNaN(lower);
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
      known = made((double) n, s, hash);
      keptCells[slot] = known;
    }
    return known;
  }

  private Cell made(double n, double s, int hash) {
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
        (s + 0.5) * (rest + 0.5) / ((n + 1) * (n + 1) * n),
        Logarithm.of((n + rho) / rho) / 2,
        least,
        hash);
  }

  /**
   * Fills in the lower and the upper end of sum c_i mu_i.
   *
   * @param count of the first coefficients and cells, which are those of the comparison
   */
  void ends(double[] c, Cell[] cells, int count, double[] ends) {
    ComparisonEnds found = found(c, cells, count);
    ends[0] = found.lower();
    ends[1] = found.upper();
  }

  private ComparisonEnds found(double[] c, Cell[] cells, int count) {
    ComparisonEnds known = known(c, cells, count);
    if (known == null || !known.hasEnds()) {
      double shift = shift(c, count);
      JointEnd end = new JointEnd(this, c, cells, count);
      double upper = shift + span * end.end(1);
      double lower = shift - span * end.end(-1);
      double size = Math.max(Math.abs(lower), Math.abs(upper));
      known = kept(c, cells, count, new ComparisonEnds(c, cells, Double.NaN, size, lower, upper));
    }
    return known;
  }

  /**
   * Returns the greatest |sum c_i mu_i| of the ends; or, where that is cheaper, any number that is
   * on the same side of a threshold, at most it or above it.
   *
   * @param threshold NaN for the greatest itself
   */
  double size(double[] c, Cell[] cells, int count, double threshold) {
    if (Double.isNaN(threshold)) {
      return found(c, cells, count).size();
    }
    double shift = shift(c, count);
    JointEnd end = new JointEnd(this, c, cells, count);
    double above = (threshold - shift) / span;
    double below = (threshold + shift) / span;
    double freeAbove = end.free(1);
    double freeBelow = end.free(-1);
    boolean isDecidedAbove = end.isDecided(1, freeAbove, above);
    boolean isDecidedBelow = end.isDecided(-1, freeBelow, below);
    double sizeAbove = shift + span * freeAbove;
    double sizeBelow = span * freeBelow - shift;
    if ((isDecidedAbove && (isDecidedBelow || sizeAbove > threshold))
        || (isDecidedBelow && sizeBelow > threshold)) {
      return Math.max(sizeAbove, sizeBelow);
    }
    double insideAbove = isDecidedAbove ? Double.NEGATIVE_INFINITY : end.inside(1, above);
    if (isClearlyAbove(insideAbove, above)) {
      return shift + span * insideAbove;
    }
    double insideBelow = isDecidedBelow ? Double.NEGATIVE_INFINITY : end.inside(-1, below);
    if (isClearlyAbove(insideBelow, below)) {
      return span * insideBelow - shift;
    }
    ComparisonEnds known = known(c, cells, count);
    if (known != null && (known.hasEnds() || known.threshold() == threshold)) {
      return known.size();
    }
    double size = Double.NEGATIVE_INFINITY;
    boolean isAboveFirst = end.middle(1) >= end.middle(-1);
    for (int side = 0; side < 2 && !(size > threshold); side++) {
      if (isAboveFirst == (side == 0)) {
        double found = isDecidedAbove ? freeAbove : end.within(1, above);
        size = Math.max(size, shift + span * found);
      } else {
        double found = isDecidedBelow ? freeBelow : end.within(-1, below);
        size = Math.max(size, span * found - shift);
      }
    }
    return kept(c, cells, count, new ComparisonEnds(c, cells, threshold, size, Double.NaN, 0))
        .size();
  }

  /** Returns how far apart the means of some of the cells of a comparison can be. */
  double width(Cell[] cells, int count, int first, int end) {
    double budget = limit;
    for (int i = 0; i < count; i++) {
      budget += cells[i].budget();
    }
    double least = 1;
    double greatest = 0;
    for (int i = first; i < end; i++) {
      double reach = cells[i].isUnseen() ? 1 : Math.sqrt(budget * cells[i].variance());
      least = Math.min(least, Math.max(0, cells[i].mean() - reach));
      greatest = Math.max(greatest, Math.min(1, cells[i].mean() + reach));
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

  private static int slot(double[] c, Cell[] cells, int count) {
    int hash = count;
    for (int i = 0; i < count; i++) {
      hash = 31 * hash + Double.hashCode(c[i]);
      hash = 31 * hash + cells[i].hash();
    }
    return ((hash * 0x9E3779B9) >>> SPREAD) & (KEPT_ANSWERS - 1);
  }

  private @Nullable ComparisonEnds known(double[] c, Cell[] cells, int count) {
    ComparisonEnds known = count > MAX_KEPT_CELLS ? null : keptAnswers[slot(c, cells, count)];
    return known != null && known.isOf(c, cells, count) ? known : null;
  }

  private ComparisonEnds kept(double[] c, Cell[] cells, int count, ComparisonEnds answer) {
    if (count <= MAX_KEPT_CELLS) {
      keptAnswers[slot(c, cells, count)] =
          new ComparisonEnds(
              Arrays.copyOf(c, count),
              Arrays.copyOf(cells, count),
              answer.threshold(),
              answer.size(),
              answer.lower(),
              answer.upper());
    }
    return answer;
  }
}
