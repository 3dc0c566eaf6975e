package io.equipoise.offline.decompose;

import io.equipoise.causal.effect.GapParts.Level;
import io.equipoise.event.GapPartKind;
import io.equipoise.segmentspec.NumberRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Splits the gap between the mean outcome of another group (1) and that of the reference (0) into a
 * sum of parts: docs/math/effect-split.md#estimates-and-intervals. Immutable.
 *
 * <p>V_l is the mean outcome of group 1, standardized to the distribution of group 0 over the
 * strata of the first l levels, and after the last of them the reference's own mean; a part is a
 * difference of two V. In a stratum without group 1 the estimate takes the mean of both groups, and
 * the interval takes the whole range.
 */
final class Decomposition {
  /** Beyond it an interval may have a fraction of its coverage, because s^2 is of other people. */
  private static final double MOST = .02;

  /** A standard deviation below this part of the outcomes' size is rounding. */
  private static final double ROUNDING = 1e-12;

  /**
   * Sums up the people of one finest stratum.
   *
   * @param key one character for each column; a prefix is a coarser stratum
   */
  record Cell(String key, Moments reference, Moments other) {
    /** Returns all people of some strata. */
    static Cell sum(List<Cell> cells) {
      Cell sum = new Cell("", new Moments(), new Moments());
      cells.forEach(it -> sum.reference.add(it.reference));
      cells.forEach(it -> sum.other.add(it.other));
      return sum;
    }

    /** Returns the people of the reference (0), of the other group (1) or of both (2). */
    Moments of(int group) {
      return group == 0 ? reference : group == 1 ? other : reference.with(other);
    }
  }

  /** A V_l, with the weight of a person of group 1 and the mean of its stratum for each cell. */
  @SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
  record Standardized(
      double[] weight, double[] mean, double value, double unmatched, double effective) {
    /** Returns whether this is the reference's own mean, which rests on nobody of group 1. */
    boolean isReference() {
      return Double.isInfinite(effective);
    }
  }

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
  record Scale(NumberRange range, double delta) {}

  /**
   * Sums up the outcomes of a group by the update of Chan, Golub and LeVeque (1983), which is exact
   * where all are equal; rows may have weights.
   *
   * <p>State: the rows, their mean, and the sum of squared distances to it.
   */
  static final class Moments {
    static final Moments NONE = new Moments();
    double rows;
    double mean;
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

    /** Returns whether a variance of outcomes of this size is none. */
    private boolean isRounding(double variance) {
      return variance <= ROUNDING * ROUNDING * (mean * mean + residual / rows);
    }
  }

  final Moments reference;
  final Moments other;

  /** The mean outcome of both groups. */
  final double everyone;

  /** The plain difference of the means. */
  final Part gap;

  /** One before all levels, and one for each. */
  final List<Standardized> levels = new ArrayList<>();

  /** One for each level, then the direct part; their estimates add up to the gap. */
  final List<Part> parts = new ArrayList<>();

  /** What begins at the decision; null without one. */
  @Nullable Part rest;

  /** The finest stratum whose people of group 1 have the most weight each. */
  Cell heaviest;

  private final List<Cell> cells;
  private final Scale scale;
  private final double pooled;
  private final double pooledOfReference;
  private double most;

  /**
   * Decomposes the gap; both groups must have people.
   *
   * @param direct name of the direct part
   */
  Decomposition(List<Cell> cells, List<Level> matched, String direct, Scale scale) {
    this.cells = cells;
    this.scale = scale;
    Cell all = Cell.sum(cells);
    reference = all.reference;
    other = all.other;
    everyone = reference.with(other).mean;
    pooled = pooled(cells.stream().map(Cell::other).toList(), other);
    pooledOfReference = pooled(cells.stream().map(Cell::reference).toList(), reference);
    heaviest = cells.get(0);
    double[] own = cells.stream().mapToDouble(it -> it.reference.mean).toArray();
    Standardized itself =
        new Standardized(
            new double[cells.size()], own, reference.mean, 0, Double.POSITIVE_INFINITY);
    Standardized before = standardized(0);
    gap = part("gap", GapPartKind.GAP, before, itself);
    int length = 0;
    for (Level level : matched) {
      if (level.kind() == GapPartKind.POLICY) {
        rest = part("rest", GapPartKind.REST, before, itself);
      }
      length += level.variables().size();
      Standardized after = standardized(length);
      parts.add(part(level.name(), level.kind(), before, after));
      before = after;
    }
    parts.add(part(direct, GapPartKind.DIRECT, before, itself));
  }

  /** Returns the variance within the strata of a group. */
  private static double pooled(List<Moments> strata, Moments whole) {
    double residuals = strata.stream().mapToDouble(it -> it.residual).sum();
    long met = strata.stream().filter(it -> it.rows > 0).count();
    return whole.rows > met ? residuals / (whole.rows - met) : whole.residual / whole.rows;
  }

  /** Returns whether a person of group 1 represents so much that the parts have no intervals. */
  boolean isTooThin() {
    return most > MOST;
  }

  /** Adds and returns V of the strata whose keys have a length. */
  private Standardized standardized(int length) {
    Map<String, Cell> strata =
        cells.stream()
            .collect(
                Collectors.groupingBy(
                    it -> it.key.substring(0, length),
                    Collectors.collectingAndThen(Collectors.toList(), Cell::sum)));
    double[] weight = new double[cells.size()];
    double[] mean = new double[cells.size()];
    double value = 0;
    double unmatched = 0;
    double total = 0;
    double squares = 0;
    double top = 0;
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      Cell stratum = strata.get(cell.key.substring(0, length));
      boolean isMatched = stratum.other.rows > 0;
      double share = cell.reference.rows / reference.rows;
      double odds = stratum.reference.rows / reference.rows / (stratum.other.rows / other.rows);
      weight[i] = isMatched ? odds : 0;
      mean[i] = isMatched ? stratum.other.mean : everyone;
      value += share * mean[i];
      unmatched += isMatched ? 0 : share;
      total += cell.other.rows * weight[i];
      squares += cell.other.rows * weight[i] * weight[i];
      if (weight[i] > top) {
        top = weight[i];
        heaviest = cell;
      }
    }
    most = levels.isEmpty() ? 0 : Math.max(most, total == 0 ? 1 : top / total);
    double effective = squares == 0 ? 0 : total * total / squares;
    levels.add(new Standardized(weight, mean, value, unmatched, effective));
    return levels.get(levels.size() - 1);
  }

  /** Returns V_a - V_b. */
  private Part part(String name, GapPartKind kind, Standardized a, Standardized b) {
    double estimate = a.value - b.value;
    double error = Math.sqrt(variance(a, b));
    double farthest = Math.max(scale.range.high() - everyone, everyone - scale.range.low());
    double slack = (a.unmatched + b.unmatched) * farthest;
    double errors =
        -new NormalDistribution(null, 0, 1).inverseCumulativeProbability(scale.delta / 2);
    double length = errors * error + slack + doubt(a, b);
    return new Part(
        name,
        kind,
        estimate,
        error,
        Math.max(-scale.range.width(), estimate - length),
        Math.min(scale.range.width(), estimate + length),
        Math.max(a.unmatched, b.unmatched),
        Math.min(a.effective, b.effective));
  }

  /**
   * Returns the doubt that strata hide whose people all have the same outcome, which few may have
   * by chance, and that which hides where the reference has nobody. Strata of one person count
   * where no other shows a variance.
   */
  private double doubt(Standardized a, Standardized b) {
    List<double[]> ofOther = new ArrayList<>();
    List<double[]> ofReference = new ArrayList<>();
    double apart = 0;
    for (int i = 0; i < cells.size(); i++) {
      Moments here = cells.get(i).reference;
      Moments there = cells.get(i).other;
      if (isWithoutVariance(there, other, pooled)) {
        double step = Math.abs(a.weight[i] - b.weight[i]) / other.rows;
        ofOther.add(new double[] {step, there.rows});
      }
      if (b.isReference() && isWithoutVariance(here, reference, pooledOfReference)) {
        ofReference.add(new double[] {1 / reference.rows, here.rows});
      }
      if (here.rows == 0) {
        apart = Math.max(apart, Math.abs(apart(i, a, b)));
      }
    }
    double unseen = 1 - StrictMath.pow(scale.delta / 2, 1 / reference.rows);
    return doubt(ofOther) + doubt(ofReference) + unseen * apart;
  }

  private static boolean isWithoutVariance(Moments stratum, Moments group, double pooled) {
    return stratum.rows > 0
        && (group.isRounding(pooled)
            || (stratum.rows > 1 && stratum.isRounding(stratum.residual / stratum.rows)));
  }

  /** Returns how far a person of the reference in a stratum moves V_a - V_b. */
  private double apart(int cell, Standardized a, Standardized b) {
    double there = b.isReference() && cells.get(cell).reference.rows == 0 ? everyone : b.mean[cell];
    return a.mean[cell] - a.value - (there - b.value);
  }

  /**
   * Returns the most that shares p of unseen outcomes at the other end of the range can move sum
   * step n p, if with probability delta/2 nobody shows one: product (1 - p)^n = delta/2. There 1 -
   * p = level / step, where that is below 1.
   */
  private double doubt(List<double[]> steps) {
    steps.sort(Comparator.comparingDouble(it -> -it[0]));
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
   * Returns the variance of the influence function. A stratum of one person has no residual, so
   * every stratum gets one more pseudo-degree of freedom of the pooled variance.
   */
  private double variance(Standardized a, Standardized b) {
    double ofOther = 0;
    double ofReference = 0;
    for (int i = 0; i < cells.size(); i++) {
      Moments here = cells.get(i).reference;
      Moments there = cells.get(i).other;
      double wa = a.weight[i];
      double wb = b.weight[i];
      if (there.rows > 0) {
        double step = wa * (there.mean - a.mean[i]) - wb * (there.mean - b.mean[i]);
        ofOther += (wa - wb) * (wa - wb) * (there.residual + pooled) + there.rows * step * step;
      }
      double apart = apart(i, a, b);
      ofReference += here.rows * apart * apart + (b.isReference() ? here.residual : 0);
    }
    return ofOther / (other.rows * other.rows) + ofReference / (reference.rows * reference.rows);
  }
}
