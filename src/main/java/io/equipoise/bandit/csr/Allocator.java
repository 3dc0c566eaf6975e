package io.equipoise.bandit.csr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.commons.math3.exception.TooManyIterationsException;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.PivotSelectionRule;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;

/**
 * Divides a phase among types and arms so that the worst-informed estimate of an arm that is left is
 * informed best: the max-min programme of Gao and Feng 2021, Algorithm 6, with 1/M, 1/D^{s',s} and
 * 1/D^{s,s'} for A, B and C.
 *
 * <p>An arm that is out may still be sampled. Solved by the simplex method of Commons Math, which
 * every Flink carries, which is sequential and so gives the same bits everywhere; some milliseconds
 * for 30 arms. The optimum's shares need not be unique. Immutable.
 */
final class Allocator {
  private static final int MAX_PIVOTS = 20_000;
  private static final double PIVOT_TOLERANCE = 1e-9;

  private final Trust trust;
  private final CsrModel model;
  private final Costs costs;
  private final boolean isNatural;

  Allocator(CsrModel model, Trust trust, Costs costs, Mode mode) {
    this.model = model;
    this.trust = trust;
    this.costs = costs;
    isNatural = mode == Mode.NATURAL;
  }

  /** Returns the best division for what a stage looks for among the arms that are left. */
  Allocation allocate(Stage stage, BitSet remaining) {
    int arms = costs.arms();
    int types = isNatural ? 1 : PullType.values().length;
    List<double[]> rows = rows(stage, remaining, types);
    double[] start = start(stage, types);
    double scale = level(rows, start);
    double[] shares = solve(rows, stage, types, scale > 0 ? scale : 1);
    double[][] byType = new double[types][];
    for (int type = 0; type < types; type++) {
      byType[type] = Arrays.copyOfRange(shares, type * arms, (type + 1) * arms);
    }
    return new Allocation(level(rows, shares), byType);
  }

  /** Returns the rows of which v is the least: sum over columns of nu / divergence. */
  private List<double[]> rows(Stage stage, BitSet remaining, int types) {
    List<double[]> rows = new ArrayList<>();
    for (int k = remaining.nextSetBit(0); k >= 0; k = remaining.nextSetBit(k + 1)) {
      if (stage != Stage.FAIRNESS) {
        rows.add(row(types, PullType.NATURAL, 1, trust.reward()[k]));
      }
      if (stage != Stage.REWARD) {
        rows.add(row(types, PullType.OF_S, model.share(CsrModel.S), trust.ofS()[k]));
        rows.add(
            row(types, PullType.OF_S_PRIME, model.share(CsrModel.S_PRIME), trust.ofPrime()[k]));
      }
    }
    return rows;
  }

  /** A natural pull informs a group's estimate with the group's probability. */
  private double[] row(int types, PullType type, double share, double[] divergence) {
    double[] row = new double[types * divergence.length];
    int from = isNatural ? 0 : type.ordinal() * divergence.length;
    for (int j = 0; j < divergence.length; j++) {
      row[from + j] = (isNatural ? share : 1) / divergence[j];
    }
    return row;
  }

  private boolean isUsed(Stage stage, int type) {
    return isNatural
        || stage == Stage.JOINT
        || (stage == Stage.REWARD) == (type == PullType.NATURAL.ordinal());
  }

  /** A division that is within the budget and reaches every arm; it sets the scale of v. */
  private double[] start(Stage stage, int types) {
    int arms = costs.arms();
    double mean = 0;
    for (int arm = 0; arm < arms; arm++) {
      mean += costs.of(arm) / arms;
    }
    double least = costs.of(costs.cheapest());
    double spread = mean > least ? Math.min(1, (costs.budget() - least) / (mean - least)) : 1;
    int used = 0;
    for (int type = 0; type < types; type++) {
      used += isUsed(stage, type) ? 1 : 0;
    }
    double[] start = new double[types * arms];
    for (int type = 0; type < types; type++) {
      for (int arm = 0; arm < arms && isUsed(stage, type); arm++) {
        double whole = arm == costs.cheapest() ? 1 - spread : 0;
        start[type * arms + arm] = (whole + spread / arms) / used;
      }
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

  /** The last variable is v / scale. Shares that sum to less than 1 are filled up cheaply. */
  private double[] solve(List<double[]> rows, Stage stage, int types, double scale) {
    int columns = types * costs.arms();
    List<LinearConstraint> constraints = new ArrayList<>();
    for (double[] row : rows) {
      double[] constraint = new double[columns + 1];
      for (int column = 0; column < columns; column++) {
        constraint[column] = -row[column] / scale;
      }
      constraint[columns] = 1;
      constraints.add(new LinearConstraint(constraint, Relationship.LEQ, 0));
    }
    double[] cost = new double[columns + 1];
    double[] whole = new double[columns + 1];
    double[] unused = new double[columns + 1];
    for (int column = 0; column < columns; column++) {
      cost[column] = costs.of(column % costs.arms());
      whole[column] = 1;
      unused[column] = isUsed(stage, column / costs.arms()) ? 0 : 1;
    }
    constraints.add(new LinearConstraint(cost, Relationship.LEQ, costs.budget()));
    constraints.add(new LinearConstraint(whole, Relationship.LEQ, 1));
    constraints.add(new LinearConstraint(unused, Relationship.LEQ, 0));
    double[] point = optimum(constraints, columns);
    return filled(point, stage, columns);
  }

  private static double[] optimum(List<LinearConstraint> constraints, int columns) {
    double[] objective = new double[columns + 1];
    objective[columns] = 1;
    for (PivotSelectionRule rule :
        new PivotSelectionRule[] {PivotSelectionRule.DANTZIG, PivotSelectionRule.BLAND}) {
      try {
        return new SimplexSolver(PIVOT_TOLERANCE)
            .optimize(
                new LinearObjectiveFunction(objective, 0),
                new LinearConstraintSet(constraints),
                GoalType.MAXIMIZE,
                new NonNegativeConstraint(true),
                rule,
                new MaxIter(MAX_PIVOTS))
            .getPoint();
      } catch (TooManyIterationsException e) {
        // A degenerate vertex may cycle under Dantzig's rule; Bland's cannot.
      }
    }
    throw new IllegalStateException(
        "the allocation of " + columns + " shares took more than " + MAX_PIVOTS + " pivots");
  }

  private double[] filled(double[] point, Stage stage, int columns) {
    double[] shares = new double[columns];
    double sum = 0;
    for (int column = 0; column < columns; column++) {
      shares[column] = Math.max(0, point[column]);
      sum += shares[column];
    }
    int firstType = isUsed(stage, 0) ? 0 : 1;
    int free = firstType * costs.arms() + costs.cheapest();
    if (sum < 1) {
      shares[free] += 1 - sum;
    } else {
      for (int column = 0; column < columns; column++) {
        shares[column] /= sum;
      }
    }
    return shares;
  }
}
