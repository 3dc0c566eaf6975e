package io.equipoise.policy.bestarm;

import io.equipoise.policy.bestarm.Divergences.DivergenceTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.commons.math3.exception.MathIllegalStateException;

/**
 * Divides a phase among types and arms so that the worst-informed estimate of an arm that is left
 * is informed best: the max-min program of Gao and Feng 2021, Algorithm 6, with 1/M, 1/D^{s',s} and
 * 1/D^{s,s'} for A, B and C.
 *
 * <p>An arm that is out may still be sampled. The optimum's shares need not be unique. Immutable.
 */
final class Allocator {
  private static final double ROUNDING = 1e-7;

  private final DivergenceTables divergenceTables;
  private final CsrModel model;
  private final Costs costs;
  private final boolean isNatural;

  Allocator(CsrModel model, DivergenceTables divergenceTables, Costs costs, Mode mode) {
    this.model = model;
    this.divergenceTables = divergenceTables;
    this.costs = costs;
    isNatural = mode == Mode.NATURAL;
  }

  /** Returns the best division for what a stage looks for among the arms that are left. */
  Allocation allocate(SearchStage searchStage, BitSet remaining) {
    return allocate(searchStage, remaining, List.of(LinearProgram.values()));
  }

  /** Tries forms in turn. */
  Allocation allocate(SearchStage searchStage, BitSet remaining, List<LinearProgram> forms) {
    int arms = costs.arms();
    int types = isNatural ? 1 : PullType.COUNT;
    List<double[]> rows = rows(searchStage, remaining, types);
    boolean[] used = used(searchStage, types);
    double[] start = start(used);
    double scale = level(rows, start);
    double[] shares = solve(rows, start, scale > 0 ? scale : 1, used, forms);
    double[][] byType = new double[types][];
    for (int type = 0; type < types; type++) {
      byType[type] = Arrays.copyOfRange(shares, type * arms, (type + 1) * arms);
    }
    return new Allocation(level(rows, shares), byType);
  }

  /** Returns the rows of which v is the least: sum over columns of nu / divergence. */
  private List<double[]> rows(SearchStage searchStage, BitSet remaining, int types) {
    List<double[]> rows = new ArrayList<>();
    for (int k = remaining.nextSetBit(0); k >= 0; k = remaining.nextSetBit(k + 1)) {
      if (searchStage != SearchStage.FAIRNESS) {
        rows.add(row(types, PullType.NATURAL, 1, divergenceTables.reward()[k]));
      }
      if (searchStage != SearchStage.REWARD) {
        rows.add(row(types, PullType.OF_S, model.share(CsrModel.S), divergenceTables.ofS()[k]));
        rows.add(
            row(
                types,
                PullType.OF_S_PRIME,
                model.share(CsrModel.S_PRIME),
                divergenceTables.ofPrime()[k]));
      }
    }
    return rows;
  }

  /** A natural pull informs a group's estimate with the group's probability. */
  private double[] row(int types, PullType type, double share, double[] divergence) {
    double[] row = new double[types * divergence.length];
    int from = isNatural ? 0 : type.number() * divergence.length;
    for (int j = 0; j < divergence.length; j++) {
      row[from + j] = (isNatural ? share : 1) / divergence[j];
    }
    return row;
  }

  /** Selects the columns that a stage may fill. */
  private boolean[] used(SearchStage searchStage, int types) {
    boolean[] used = new boolean[types * costs.arms()];
    for (int column = 0; column < used.length; column++) {
      boolean isNaturalPull = column < costs.arms();
      used[column] =
          isNatural
              || searchStage == SearchStage.JOINT
              || (searchStage == SearchStage.REWARD) == isNaturalPull;
    }
    return used;
  }

  /** A division that is within the budget and reaches every arm; it sets the scale of v. */
  private double[] start(boolean[] used) {
    int arms = costs.arms();
    double mean = 0;
    for (int arm = 0; arm < arms; arm++) {
      mean += costs.of(arm) / arms;
    }
    double least = costs.of(costs.cheapest());
    double spread = mean > least ? Math.min(1, (costs.budget() - least) / (mean - least)) : 1;
    double[] start = new double[used.length];
    double sum = 0;
    for (int column = 0; column < used.length; column++) {
      double whole = column % arms == costs.cheapest() ? 1 - spread : 0;
      start[column] = used[column] ? whole + spread / arms : 0;
      sum += start[column];
    }
    for (int column = 0; column < used.length; column++) {
      start[column] /= sum;
    }
    return start;
  }

  private static double level(List<double[]> rows, double[] shares) {
    double least = Double.POSITIVE_INFINITY;
    for (double[] row : rows) {
      double sum = 0;
      for (int column = 0; column < row.length; column++) {
        sum += row[column] * shares[column];
      }
      least = Math.min(least, sum);
    }
    return least;
  }

  /**
   * Solves the program as a matrix game or, should rounding have led the simplex method astray, as
   * it stands. Should both fail the start is used: it is a valid division, only not the best, and
   * its level says so.
   */
  private double[] solve(
      List<double[]> rows,
      double[] start,
      double scale,
      boolean[] used,
      List<LinearProgram> forms) {
    for (LinearProgram linearProgram : forms) {
      try {
        double[] point = linearProgram.solve(rows, costs, scale, used);
        if (isWithin(point) && level(rows, filled(point, used)) >= level(rows, start)) {
          return filled(point, used);
        }
      } catch (MathIllegalStateException e) {
        // Too many pivots, or a vertex that rounding made look unbounded: the next form.
      }
    }
    return start;
  }

  private boolean isWithin(double[] point) {
    double sum = 0;
    double cost = 0;
    for (int column = 0; column < point.length; column++) {
      sum += Math.max(0, point[column]);
      cost += Math.max(0, point[column]) * costs.of(column % costs.arms());
    }
    return sum <= 1 + ROUNDING && cost <= costs.budget() + ROUNDING;
  }

  /** Shares that sum to less than 1 are filled up cheaply. */
  private double[] filled(double[] point, boolean[] used) {
    double[] shares = new double[point.length];
    double sum = 0;
    int free = -1;
    for (int column = 0; column < shares.length; column++) {
      shares[column] = Math.max(0, point[column]);
      sum += shares[column];
      if (free < 0 && used[column] && column % costs.arms() == costs.cheapest()) {
        free = column;
      }
    }
    if (sum < 1) {
      shares[free] += 1 - sum;
    } else {
      for (int column = 0; column < shares.length; column++) {
        shares[column] /= sum;
      }
    }
    return shares;
  }
}
