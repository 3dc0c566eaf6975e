package io.equipoise.policy.tabular;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditInterval;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.fairness.EffectIdentification;
import io.equipoise.policy.tabular.JointRegion.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bounds one effect for one arm after another.
 *
 * <p>For a counterfactual world the effect is linear in the cell means, sum_w c_w E[R|w] with c =
 * p(z|x',a) - p(z|x,a), coefficients of the same cell netted. Its supremum over the box L_w &lt;=
 * E[R|w] &lt;= H_w is sum c+ H - c- L, its infimum sum c+ L - c- H: exact, because every cell is
 * free in the box. Where features follow the attribute or are undisclosed, the effect is a mixture
 * over their joint values of such terms (Huang et al. 2022, Theorem 2, with z following b), so the
 * interval runs from the least infimum to the greatest supremum; the estimate is then the middle of
 * the estimates' range. Where p is estimated from counts, its error widens the interval.
 *
 * <p>Where a {@link JointRegion} limits the cells of a comparison together, its ends take the place
 * of those of the box.
 *
 * <p>Has scratch of its own: one instance belongs to one call.
 */
final class EffectBound {
  /** Bounds of two worlds that differ by less are the same: rounding must not decide. */
  private static final double SAME_BOUND = 1e-12;

  /** A cell with a smaller coefficient is none of the effect's: rounding must not decide. */
  private static final double NO_COEFFICIENT = 1e-12;

  private final Comparison comparison;
  private final CounterfactualWorld[] factuals;
  private final CounterfactualWorld[] others;
  private final double growth;
  private final double span;

  private double[] coefficients = {};

  /** By pair of worlds and first cell, as far as they were asked for. */
  private final JointCells[][] cells;

  private final double[] ends = new double[2];

  private double lower;
  private double upper;
  private double leastEstimate;
  private double greatestEstimate;
  private double unsupportedBelow;
  private double unsupportedAbove;

  private double infimum;
  private double supremum;
  private double estimate;
  private double unsupported;
  private double variance;

  /**
   * Prepares an effect.
   *
   * @param factuals one for each pair of worlds of the comparison
   * @param others likewise
   * @param growth by what the errors of p grow in the segment, at least 1
   * @param span greatest minus least mean reward: the bound of an effect that is not identified
   */
  EffectBound(
      Comparison comparison,
      CounterfactualWorld[] factuals,
      CounterfactualWorld[] others,
      double growth,
      double span) {
    this.comparison = comparison;
    this.factuals = factuals;
    this.others = others;
    this.growth = growth;
    this.span = span;
    cells = new JointCells[others.length][];
  }

  private boolean isNotIdentified() {
    return comparison.identification() == EffectIdentification.NOT_IDENTIFIED;
  }

  KindLimit limit() {
    return comparison.limit();
  }

  /**
   * Returns the bounds that no other one implies. Without a separate path total and direct, or
   * total and indirect effects are the same, and the least limit is the one that binds.
   */
  static List<EffectBound> binding(List<EffectBound> bounds) {
    if (bounds.size() < 2) {
      return bounds;
    }
    List<EffectBound> binding = new ArrayList<>();
    for (EffectBound bound : bounds) {
      if (binding.stream().noneMatch(it -> it.implies(bound))) {
        binding.removeIf(bound::implies);
        binding.add(bound);
      }
    }
    return binding;
  }

  private boolean implies(EffectBound that) {
    return limit().tau() <= that.limit().tau()
        && comparison.attribute() == that.comparison.attribute()
        && comparison.identification() == that.comparison.identification()
        && Arrays.equals(factuals, that.factuals)
        && Arrays.equals(others, that.others);
  }

  /**
   * Returns the largest |effect| for the arm with this first cell and weight row, in units of its
   * limit.
   */
  double worst(int firstCell, int row) {
    return worst(firstCell, row, Double.NaN);
  }

  /**
   * Returns the same, or any number on the same side of a threshold, at most it or above it.
   *
   * @param threshold NaN for the largest itself
   */
  double worst(int firstCell, int row, double threshold) {
    return limit().scaled(ownWorst(firstCell, row, limit().unscaled(threshold)));
  }

  private double ownWorst(int firstCell, int row, double threshold) {
    double worst = isNotIdentified() ? span : 0;
    for (int pair = 0; pair < others.length && !(worst > threshold); pair++) {
      double slack = slack(pair, firstCell, row);
      worst = Math.max(worst, size(pair, firstCell, row, threshold - slack) + slack);
    }
    return worst;
  }

  private double size(int pair, int firstCell, int row, double threshold) {
    CounterfactualWorld factual = factuals[pair];
    CounterfactualWorld other = others[pair];
    JointRegion region = factual.limits().region;
    double[] here = factual.weights().p()[row];
    double[] there = other.weights().p()[row];
    if (region != null) {
      JointCells joint = joint(pair, firstCell, here.length);
      return region.size(weighed(here, there, joint), joint, threshold);
    }
    return other.limits() == factual.limits()
        ? factual.limits().worst(firstCell, here, there)
        : factual.limits().worst(firstCell, here, other.limits(), there);
  }

  /** Returns the cells of a comparison side by side, also those that do not matter for an arm. */
  private JointCells joint(int pair, int firstCell, int length) {
    CellLimits factual = factuals[pair].limits();
    if (cells[pair] == null) {
      cells[pair] = new JointCells[factual.cells()];
    }
    JointCells known = cells[pair][firstCell];
    if (known == null) {
      CellLimits other = others[pair].limits();
      Cell[] gathered = new Cell[other == factual ? length : 2 * length];
      for (int z = 0; z < length; z++) {
        gathered[z] = factual.joint(firstCell + z);
        if (other != factual) {
          gathered[length + z] = other.joint(firstCell + z);
        }
      }
      known = new JointCells(gathered);
      cells[pair][firstCell] = known;
    }
    return known;
  }

  /** Returns the coefficients of such cells, until the next call. */
  private double[] weighed(double[] here, double[] there, JointCells joint) {
    if (coefficients.length < joint.count) {
      coefficients = new double[joint.count];
    }
    boolean hasSameCells = joint.count == here.length;
    for (int z = 0; z < here.length; z++) {
      coefficients[z] = hasSameCells ? there[z] - here[z] : -here[z];
      if (!hasSameCells) {
        coefficients[here.length + z] = there[z];
      }
    }
    return coefficients;
  }

  /** Returns the effect's estimate for the arm with this first cell and weight row. */
  double estimate(int firstCell, int row) {
    if (isNotIdentified()) {
      return 0;
    }
    leastEstimate = Double.POSITIVE_INFINITY;
    greatestEstimate = Double.NEGATIVE_INFINITY;
    for (int pair = 0; pair < others.length; pair++) {
      compare(factuals[pair], others[pair], firstCell, row);
      leastEstimate = Math.min(leastEstimate, estimate);
      greatestEstimate = Math.max(greatestEstimate, estimate);
    }
    return middleEstimate();
  }

  private double middleEstimate() {
    boolean isIdentified = comparison.identification() == EffectIdentification.IDENTIFIED;
    return isIdentified ? leastEstimate : (leastEstimate + greatestEstimate) / 2;
  }

  /** Returns the effect for the arm with this first cell and weight row. */
  EffectFinding effect(int firstCell, int row) {
    if (isNotIdentified()) {
      return EffectFinding.notIdentified(
          comparison.attribute(),
          comparison.factualLevel(),
          comparison.counterfactualLevel(),
          comparison.kind(),
          span);
    }
    bound(firstCell, row);
    double length = upper - lower;
    double unsupportedShare =
        length > 0 ? Math.min(1, (unsupportedBelow + unsupportedAbove) / length) : 0;
    return new EffectFinding(
        comparison.attribute(),
        comparison.factualLevel(),
        comparison.counterfactualLevel(),
        comparison.kind(),
        comparison.identification(),
        middleEstimate(),
        lower,
        upper,
        unsupportedShare,
        others.length == 1 ? EffectFinding.leverageOf(variance) : null,
        factuals[0].limits().region == null ? null : AuditInterval.JOINT,
        null,
        null);
  }

  /**
   * Returns the size of the weight that a reward of a person has in the effect, from 0 to 1: of two
   * cells the share of the other one's rewards. Every cell counts one reward more than it has. An
   * indirect effect learns from the people of the other world, so either group has half.
   *
   * @param context the person's; 0 where none of the worlds is the person's own
   */
  double weight(int[] context, int firstCell, int row) {
    if (comparison.kind() == AuditEffectKind.INDIRECT) {
      return 0.5;
    }
    double greatest = 0;
    for (int pair = 0; pair < others.length; pair++) {
      if (Arrays.equals(comparison.worlds().get(pair).factual(), context)) {
        greatest = Math.max(greatest, weight(factuals[pair], others[pair], firstCell, row));
      }
    }
    return greatest;
  }

  private static double weight(
      CounterfactualWorld factual, CounterfactualWorld other, int firstCell, int row) {
    double[] here = factual.weights().p()[row];
    double[] there = other.weights().p()[row];
    boolean hasSameCells = other.limits() == factual.limits();
    double own = 0;
    double all = 0;
    for (int z = 0; z < here.length; z++) {
      double c = hasSameCells ? there[z] - here[z] : -here[z];
      double spread = factual.limits().spread(firstCell + z);
      own += c * here[z] * spread;
      all += c * c * spread;
      all += hasSameCells ? 0 : there[z] * there[z] * other.limits().spread(firstCell + z);
    }
    return all == 0 ? 0 : Math.min(1, Math.abs(own) / all);
  }

  private void bound(int firstCell, int row) {
    lower = Double.POSITIVE_INFINITY;
    upper = Double.NEGATIVE_INFINITY;
    leastEstimate = Double.POSITIVE_INFINITY;
    greatestEstimate = Double.NEGATIVE_INFINITY;
    for (int pair = 0; pair < others.length; pair++) {
      compare(factuals[pair], others[pair], firstCell, row);
      JointRegion region = factuals[pair].limits().region;
      if (region != null) {
        double[] here = factuals[pair].weights().p()[row];
        JointCells joint = joint(pair, firstCell, here.length);
        region.ends(weighed(here, others[pair].weights().p()[row], joint), joint, ends);
        infimum = ends[0];
        supremum = ends[1];
      }
      double slack = slack(pair, firstCell, row);
      infimum -= slack;
      supremum += slack;
      unsupportedBelow = unsupportedOf(lower - infimum, unsupportedBelow);
      unsupportedAbove = unsupportedOf(supremum - upper, unsupportedAbove);
      lower = Math.min(lower, infimum);
      upper = Math.max(upper, supremum);
      leastEstimate = Math.min(leastEstimate, estimate);
      greatestEstimate = Math.max(greatestEstimate, estimate);
    }
  }

  /**
   * Returns what wrong p(z|x,a) can add. Moving a distribution by e in L1 distance moves a mean by
   * at most e / 2 times the range of what is averaged.
   */
  private double slack(int pair, int firstCell, int row) {
    CounterfactualWorld factual = factuals[pair];
    CounterfactualWorld other = others[pair];
    double here = error(factual, row);
    double there = error(other, row);
    if (here == 0 && there == 0) {
      return 0;
    }
    int z = other.weights().p()[row].length;
    JointRegion region = factual.limits().region;
    if (region == null) {
      return (here * factual.limits().width(firstCell, z)
              + there * other.limits().width(firstCell, z))
          / 2;
    }
    JointCells joint = joint(pair, firstCell, z);
    double own = region.width(joint, 0, z);
    return (here * own + there * (joint.count == z ? own : region.width(joint, z, joint.count)))
        / 2;
  }

  private double error(CounterfactualWorld world, int row) {
    return Math.min(DistributionError.LARGEST, growth * world.weights().error()[row]);
  }

  /** Returns the prior part of the wider world; of two equally wide ones, the larger. */
  private double unsupportedOf(double wider, double known) {
    if (wider > SAME_BOUND) {
      return unsupported;
    }
    return wider < -SAME_BOUND ? known : Math.max(known, unsupported);
  }

  private void compare(
      CounterfactualWorld factual, CounterfactualWorld other, int firstCell, int row) {
    double[] here = factual.weights().p()[row];
    double[] there = other.weights().p()[row];
    infimum = 0;
    supremum = 0;
    estimate = 0;
    unsupported = 0;
    variance = 0;
    boolean hasSameCells = other.limits() == factual.limits();
    for (int z = 0; z < here.length; z++) {
      if (hasSameCells) {
        add(there[z] - here[z], factual.limits(), firstCell + z);
      } else {
        add(there[z], other.limits(), firstCell + z);
        add(-here[z], factual.limits(), firstCell + z);
      }
    }
  }

  /** Adds a cell's term; its half-length counts as prior where the cell has no observation. */
  private void add(double c, CellLimits limits, int cell) {
    double atLower = c * limits.lower(cell);
    double atUpper = c * limits.upper(cell);
    infimum += Math.min(atLower, atUpper);
    supremum += Math.max(atLower, atUpper);
    estimate += c * limits.estimate(cell);
    if (limits.isUnseen(cell)) {
      unsupported += Math.abs(atUpper - atLower) / 2;
    }
    if (Math.abs(c) > NO_COEFFICIENT) {
      variance += c * c * limits.variance(cell);
    }
  }

  /**
   * Carries what the reward model needs of a context at one time: its cells' limits, and p(z|x,a)
   * by row.
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record CounterfactualWorld(CellLimits limits, MediatorTable weights) {}
}
