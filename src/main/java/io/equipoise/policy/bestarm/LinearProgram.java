package io.equipoise.policy.bestarm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;

/**
 * Solves the max-min program in one of two forms by the simplex method of Commons Math: every Flink
 * carries it, and it is sequential, so it gives the same bits everywhere. About a millisecond for
 * 30 arms.
 *
 * <p>Measured on 38,400 programs with random arms left: the game never failed and was within 3e-8
 * of the best, the max-min form failed once and was within 2e-7; both with Dantzig's rule, for
 * under Bland's one in twenty ended nowhere or far from the optimum.
 */
enum LinearProgram {
  /** Minimize the sum of x such that each row is at least 1; the shares are x over its sum. */
  GAME {
    @Override
    double[] solve(List<double[]> rows, Costs costs, double scale, boolean[] used) {
      int columns = used.length;
      List<LinearConstraint> constraints = new ArrayList<>();
      for (double[] row : rows) {
        double[] constraint = new double[columns];
        for (int column = 0; column < columns; column++) {
          constraint[column] = used[column] ? row[column] / scale : 0;
        }
        constraints.add(new LinearConstraint(constraint, Relationship.GEQ, 1));
      }
      double[] cost = new double[columns];
      for (int column = 0; column < columns; column++) {
        cost[column] = costs.of(column % costs.arms()) - costs.budget();
      }
      constraints.add(new LinearConstraint(cost, Relationship.LEQ, 0));
      double[] objective = new double[columns];
      Arrays.fill(objective, 1);
      double[] point = optimum(objective, constraints, GoalType.MINIMIZE);
      double sum = 0;
      for (int column = 0; column < columns; column++) {
        sum += used[column] ? Math.max(0, point[column]) : 0;
      }
      return cleared(point, used, sum);
    }
  },

  /** Maximize v such that each row is at least v and the shares sum to at most 1. */
  MAX_MIN {
    @Override
    double[] solve(List<double[]> rows, Costs costs, double scale, boolean[] used) {
      int columns = used.length;
      List<LinearConstraint> constraints = new ArrayList<>();
      for (double[] row : rows) {
        double[] constraint = new double[columns + 1];
        for (int column = 0; column < columns; column++) {
          constraint[column] = used[column] ? -row[column] / scale : 0;
        }
        constraint[columns] = 1;
        constraints.add(new LinearConstraint(constraint, Relationship.LEQ, 0));
      }
      double[] cost = new double[columns + 1];
      double[] whole = new double[columns + 1];
      for (int column = 0; column < columns; column++) {
        cost[column] = costs.of(column % costs.arms());
        whole[column] = 1;
      }
      constraints.add(new LinearConstraint(cost, Relationship.LEQ, costs.budget()));
      constraints.add(new LinearConstraint(whole, Relationship.LEQ, 1));
      double[] objective = new double[columns + 1];
      objective[columns] = 1;
      double[] point = optimum(objective, constraints, GoalType.MAXIMIZE);
      return cleared(Arrays.copyOf(point, columns), used, 1);
    }
  };

  private static final int MAX_PIVOTS = 20_000;
  private static final double PIVOT_TOLERANCE = 1e-9;

  /**
   * Returns the shares by column; they may sum to less than 1.
   *
   * @param scale the level of some division, which brings v near 1
   * @throws org.apache.commons.math3.exception.MathIllegalStateException if no optimum is reached
   */
  abstract double[] solve(List<double[]> rows, Costs costs, double scale, boolean[] used);

  private static double[] optimum(
      double[] objective, List<LinearConstraint> constraints, GoalType goal) {
    return new SimplexSolver(PIVOT_TOLERANCE)
        .optimize(
            new LinearObjectiveFunction(objective, 0),
            new LinearConstraintSet(constraints),
            goal,
            new NonNegativeConstraint(true),
            new MaxIter(MAX_PIVOTS))
        .getPoint();
  }

  private static double[] cleared(double[] point, boolean[] used, double sum) {
    for (int column = 0; column < point.length; column++) {
      point[column] = used[column] ? point[column] / sum : 0;
    }
    return point;
  }
}
