package io.equipoise.offline.decompose;

import io.equipoise.causal.effect.GapParts.Level;
import io.equipoise.event.GapPartKind;
import io.equipoise.segmentspec.NumberRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Splits the gap between the mean outcome of another group (1) and that of the reference (0) into a
 * sum of parts: docs/math/effect-split.md#estimates-and-intervals. Immutable.
 *
 * <p>V_l is the mean outcome of group 1, standardized to the distribution of group 0 over the
 * strata of the first l levels; a part is a difference of two V. In a stratum without group 1 the
 * estimate takes the mean of both groups, and the interval takes the whole range.
 *
 * @param gap the plain difference of the means
 * @param parts one for each level, then the direct part; their estimates add up to the gap
 * @param rest what begins at the decision; null without one
 * @param means V_l for each level, from 0
 * @param effective how many people of group 1 the standardized mean rests on, for each level
 * @param everyone mean outcome of both groups
 * @param heaviest the finest stratum whose people of group 1 have the most weight each
 * @param most the largest share of the matched reference that a person of group 1 represents, of
 *     all levels from 1
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Decomposition(
    Part gap,
    List<Part> parts,
    @Nullable Part rest,
    double[] means,
    double[] effective,
    Moments reference,
    Moments other,
    double everyone,
    Cell heaviest,
    double most) {
  /** Beyond it an interval may have a fraction of its coverage, because s^2 is of other people. */
  private static final double MOST = .02;

  /** A standard deviation below this part of the outcomes' size is rounding. */
  private static final double ROUNDING = 1e-12;

  /**
   * Sums up the people of one finest stratum.
   *
   * @param key one character for each column; a prefix is a coarser stratum
   */
  record Cell(String key, Moments reference, Moments other) {}

  /**
   * A part with its interval.
   *
   * @param unmatched share of the reference without a counterpart in group 1
   * @param restsOn the effective number of people of group 1
   */
  record Part(
      String name,
      GapPartKind kind,
      double estimate,
      double standardError,
      double lower,
      double upper,
      double unmatched,
      double restsOn) {}

  /**
   * The range of the outcome, and the error probability of an interval.
   *
   * @param delta of each interval, both ends together
   */
  record Scale(NumberRange range, double delta) {
    /** Returns how many standard errors an interval reaches. */
    double reach() {
      return -new NormalDistribution(null, 0, 1).inverseCumulativeProbability(delta / 2);
    }
  }

  /**
   * Sums up the outcomes of a group by the update of Chan, Golub and LeVeque (1983), which is exact
   * where all are equal; rows may have weights.
   *
   * <p>State: the rows, their mean, and the sum of squared distances to it.
   */
  static final class Moments {
    static final Moments NONE = new Moments();
    double rows;
    private double mean;
    private double residual;

    void add(double weight, double outcome) {
      add(weight, outcome, 0);
    }

    void add(Moments other) {
      add(other.rows, other.mean, other.residual);
    }

    void add(double moreRows, double meanOfThem, double residualOfThem) {
      if (moreRows > 0) {
        double step = meanOfThem - mean;
        double share = moreRows / (rows + moreRows);
        residual += residualOfThem + rows * share * step * step;
        mean = rows == 0 ? meanOfThem : mean + share * step;
        rows += moreRows;
      }
    }

    /** Returns the sums of both. */
    Moments with(Moments other) {
      Moments both = new Moments();
      both.add(this);
      both.add(other);
      return both;
    }

    double mean() {
      return mean;
    }

    /** Returns the sum of squared distances to the mean. */
    double residual() {
      return residual;
    }

    /** Returns whether a variance of outcomes of this size is none. */
    private boolean isRounding(double variance) {
      return variance <= ROUNDING * ROUNDING * (mean * mean + residual / rows);
    }

    private boolean areAllEqual() {
      return isRounding(residual / rows);
    }
  }

  /** Returns whether the parts rest on too few people to have intervals. */
  boolean isTooThin() {
    return most > MOST;
  }

  /**
   * Decomposes the gap; both groups must have people.
   *
   * @param direct name of the direct part
   */
  static Decomposition of(List<Cell> cells, List<Level> levels, String direct, Scale scale) {
    return new Calculation(cells, levels, scale).result(direct);
  }

  /** Standardizes one pair of groups: w and m of every cell at every level. */
  private static final class Calculation {
    private final List<Cell> cells;
    private final List<Level> levels;
    private final Scale scale;
    private final Moments zero = new Moments();
    private final Moments one = new Moments();
    private final double everyone;
    private final double pooled;
    private final double reach;
    private final double[][] weight;
    private final double[][] mean;
    private final double[] value;
    private final double[] unmatched;
    private final double[] effective;
    private Cell heaviest;
    private double most;

    Calculation(List<Cell> cells, List<Level> levels, Scale scale) {
      this.cells = cells;
      this.levels = levels;
      this.scale = scale;
      double residuals = 0;
      int met = 0;
      for (Cell cell : cells) {
        zero.add(cell.reference);
        one.add(cell.other);
        residuals += cell.other.residual();
        met += cell.other.rows > 0 ? 1 : 0;
      }
      everyone = zero.with(one).mean();
      pooled = one.rows > met ? residuals / (one.rows - met) : one.residual() / one.rows;
      reach = scale.reach();
      int depth = levels.size() + 1;
      weight = new double[depth][cells.size()];
      mean = new double[depth][cells.size()];
      value = new double[depth];
      unmatched = new double[depth];
      effective = new double[depth];
      heaviest = cells.get(0);
      int length = 0;
      for (int level = 0; level < depth; level++) {
        length += level == 0 ? 0 : levels.get(level - 1).variables().size();
        standardize(level, length);
      }
    }

    private void standardize(int level, int length) {
      Map<String, Moments[]> strata = new LinkedHashMap<>();
      for (Cell cell : cells) {
        Moments[] both =
            strata.computeIfAbsent(
                cell.key.substring(0, length), it -> new Moments[] {new Moments(), new Moments()});
        both[0].add(cell.reference);
        both[1].add(cell.other);
      }
      double total = 0;
      double squares = 0;
      double top = 0;
      for (int i = 0; i < cells.size(); i++) {
        Cell cell = cells.get(i);
        Moments[] both = strata.get(cell.key.substring(0, length));
        boolean isMatched = both[1].rows > 0;
        double w = isMatched ? both[0].rows / zero.rows / (both[1].rows / one.rows) : 0;
        weight[level][i] = w;
        mean[level][i] = isMatched ? both[1].mean() : everyone;
        value[level] += cell.reference.rows / zero.rows * mean[level][i];
        unmatched[level] += isMatched ? 0 : cell.reference.rows / zero.rows;
        total += cell.other.rows * w;
        squares += cell.other.rows * w * w;
        if (w > top) {
          top = w;
          heaviest = cell;
        }
      }
      effective[level] = squares == 0 ? 0 : total * total / squares;
      most = level == 0 ? 0 : Math.max(most, total == 0 ? 1 : top / total);
    }

    Decomposition result(String direct) {
      int last = levels.size();
      List<Part> parts = new ArrayList<>();
      Part rest = null;
      for (int i = 0; i < last; i++) {
        Level level = levels.get(i);
        rest = level.kind() == GapPartKind.POLICY ? part("rest", GapPartKind.REST, i, -1) : rest;
        parts.add(part(level.name(), level.kind(), i, i + 1));
      }
      parts.add(part(direct, GapPartKind.DIRECT, last, -1));
      Part gap = part("gap", GapPartKind.GAP, 0, -1);
      return new Decomposition(
          gap, List.copyOf(parts), rest, value, effective, zero, one, everyone, heaviest, most);
    }

    /** Returns V_a - V_b, or V_a - the reference's mean if {@code b} is negative. */
    private Part part(String name, GapPartKind kind, int a, int b) {
      double estimate = value[a] - (b < 0 ? zero.mean() : value[b]);
      double error = Math.sqrt(Math.max(0, variance(a, b)));
      double missing = unmatched[a] + (b < 0 ? 0 : unmatched[b]);
      double slack =
          missing * Math.max(scale.range.high() - everyone, everyone - scale.range.low());
      double length = reach * error + slack + doubt(a, b);
      return new Part(
          name,
          kind,
          estimate,
          error,
          Math.max(-scale.range.width(), estimate - length),
          Math.min(scale.range.width(), estimate + length),
          Math.max(unmatched[a], b < 0 ? 0 : unmatched[b]),
          Math.min(effective[a], b < 0 ? Double.POSITIVE_INFINITY : effective[b]));
    }

    /**
     * Returns the doubt that strata hide whose people all have the same outcome, which few may have
     * by chance. Strata of one person count where no other shows a variance.
     */
    private double doubt(int a, int b) {
      boolean isOfReference = b < 0 && zero.areAllEqual();
      return (isOfReference ? doubt(List.of(new double[] {1 / zero.rows, zero.rows})) : 0)
          + doubt(steps(a, b, one.isRounding(pooled)));
    }

    /** Returns |w_a - w_b| / N1 and n1 of every stratum, or of those without any variance. */
    private List<double[]> steps(int a, int b, boolean isEvery) {
      List<double[]> steps = new ArrayList<>();
      for (int i = 0; i < cells.size(); i++) {
        Moments there = cells.get(i).other;
        double step = Math.abs(weight[a][i] - (b < 0 ? 0 : weight[b][i])) / one.rows;
        if (there.rows > 0 && (isEvery || (there.rows > 1 && there.areAllEqual()))) {
          steps.add(new double[] {step, there.rows});
        }
      }
      steps.sort(Comparator.comparingDouble(it -> -it[0]));
      return steps;
    }

    /**
     * Returns the most that shares p of unseen outcomes at the other end of the range can move sum
     * step n p, if with probability delta/2 nobody shows one: product (1 - p)^n = delta/2. There 1
     * - p = level / step, where that is below 1.
     */
    private double doubt(List<double[]> steps) {
      double rows = 0;
      double logs = StrictMath.log(scale.delta / 2);
      double moved = 0;
      for (double[] step : steps) {
        if (rows > 0 && step[0] <= StrictMath.exp(logs / rows)) {
          break;
        }
        rows += step[1];
        logs += step[1] * StrictMath.log(step[0]);
        moved += step[1] * step[0];
      }
      return rows == 0 ? 0 : scale.range.width() * (moved - rows * StrictMath.exp(logs / rows));
    }

    /**
     * The variance of the influence function. A stratum of one person has no residual, so every
     * stratum gets one more pseudo-degree of freedom of the pooled variance.
     */
    private double variance(int a, int b) {
      double ofOther = 0;
      double ofReference = b < 0 ? zero.residual() : 0;
      for (int i = 0; i < cells.size(); i++) {
        Moments here = cells.get(i).reference;
        Moments there = cells.get(i).other;
        if (there.rows > 0) {
          double wa = weight[a][i];
          double wb = b < 0 ? 0 : weight[b][i];
          double mb = b < 0 ? 0 : mean[b][i];
          double step = wa * (there.mean() - mean[a][i]) - wb * (there.mean() - mb);
          ofOther += (wa - wb) * (wa - wb) * (there.residual() + pooled) + there.rows * step * step;
        }
        double ba = mean[a][i] - value[a];
        if (b < 0) {
          ofReference += here.rows * ba * (ba - 2 * (here.mean() - zero.mean()));
        } else {
          double both = ba - (mean[b][i] - value[b]);
          ofReference += here.rows * both * both;
        }
      }
      return ofOther / (one.rows * one.rows) + ofReference / (zero.rows * zero.rows);
    }
  }
}
