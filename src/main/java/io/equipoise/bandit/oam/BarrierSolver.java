package io.equipoise.bandit.oam;

import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * Solves an {@link AllocationProblem} by a logarithmic barrier and damped Newton steps (Boyd and
 * Vandenberghe 2004, sections 9.5 and 11.3). With slack s_i = limit_i - M_ii:
 *
 * <pre>
 * minimise  t sum_j T_j gap_j - sum_j ln T_j - sum_i ln s_i
 * gradient_j   = t gap_j - 1 / T_j - sum_i M_ij^2 / s_i
 * Hessian_jl   = [j = l] / T_j^2 + sum_i M_ij^2 M_il^2 / s_i^2 + 2 sum_i M_ij M_jl M_li / s_i
 * </pre>
 *
 * <p>Variables are scaled by T before the Cholesky decomposition, which a relative jitter of 10^-9
 * keeps positive definite. t grows tenfold until the duality gap 2k / t is below a thousandth of
 * the cost. A step costs O(k^3) for k rows.
 */
final class BarrierSolver {
  private static final double GAP = 1e-3;
  private static final double GROWTH = 10;
  private static final double JITTER = 1e-9;
  private static final double DECREMENT = 1e-6;
  private static final int MAX_STEPS = 60;
  private static final int MAX_STAGES = 40;
  private static final double ARMIJO = 0.25;

  private final AllocationProblem problem;
  private final int k;
  private final LinearSolverDense<DMatrixRMaj> cholesky;
  private double[] pulls;
  private double[][] widths;
  private double t;

  private BarrierSolver(AllocationProblem problem) {
    this.problem = problem;
    k = problem.size();
    cholesky = LinearSolverFactory_DDRM.chol(k);
    pulls = new double[k];
    widths = new double[k][k];
  }

  /** Returns how often each row of the problem is to be pulled. */
  static double[] solve(AllocationProblem problem) {
    return new BarrierSolver(problem).solve();
  }

  private double[] solve() {
    start();
    double cost = problem.cost(pulls);
    t = 2.0 * k / cost;
    for (int stage = 0; stage < MAX_STAGES; stage++) {
      centre();
      cost = problem.cost(pulls);
      if (2.0 * k / t < GAP * cost) {
        break;
      }
      t *= GROWTH;
    }
    return pulls;
  }

  /** Pulls every row equally often, so often that all widths are below half their limits. */
  private void start() {
    for (double each = 1; ; each *= 4) {
      Arrays.fill(pulls, each);
      widths = problem.widths(pulls);
      boolean isWithin = true;
      for (int i = 0; i < k; i++) {
        isWithin &= widths[i][i] < problem.limit(i) / 2;
      }
      if (isWithin) {
        return;
      }
      if (each > 1e18) {
        throw new IllegalStateException("no number of pulls tells the rows apart");
      }
    }
  }

  private void centre() {
    for (int step = 0; step < MAX_STEPS; step++) {
      double[] gradient = gradient();
      double[] direction = direction(gradient);
      double slope = 0;
      for (int j = 0; j < k; j++) {
        slope += gradient[j] * direction[j];
      }
      if (!(-slope > DECREMENT) || !move(direction, slope)) {
        return;
      }
    }
  }

  /** Halves the step until it stays inside and lowers the objective enough; false if none does. */
  private boolean move(double[] direction, double slope) {
    double before = objective(pulls, widths);
    for (double length = 1; length > 1e-12; length /= 2) {
      double[] next = new double[k];
      for (int j = 0; j < k; j++) {
        next[j] = pulls[j] + length * direction[j];
      }
      if (Arrays.stream(next).allMatch(pull -> pull > 0)) {
        double[][] nextWidths = problem.widths(next);
        if (objective(next, nextWidths) <= before + ARMIJO * length * slope) {
          pulls = next;
          widths = nextWidths;
          return true;
        }
      }
    }
    return false;
  }

  private double objective(double[] at, double[][] m) {
    double sum = t * problem.cost(at);
    for (int j = 0; j < k; j++) {
      double slack = problem.limit(j) - m[j][j];
      if (!(slack > 0)) {
        return Double.POSITIVE_INFINITY;
      }
      sum -= StrictMath.log(at[j]) + StrictMath.log(slack);
    }
    return sum;
  }

  private double slack(int i) {
    return problem.limit(i) - widths[i][i];
  }

  private double[] gradient() {
    double[] gradient = new double[k];
    for (int j = 0; j < k; j++) {
      gradient[j] = t * problem.gap(j) - 1 / pulls[j];
      for (int i = 0; i < k; i++) {
        gradient[j] -= widths[i][j] * widths[i][j] / slack(i);
      }
    }
    return gradient;
  }

  /** Returns the Newton step -Hessian^-1 gradient, solved in variables T_j relative to pulls. */
  private double[] direction(double[] gradient) {
    DMatrixRMaj hessian = new DMatrixRMaj(k, k);
    double trace = 0;
    for (int j = 0; j < k; j++) {
      for (int l = 0; l < k; l++) {
        double sum = j == l ? 1 / (pulls[j] * pulls[j]) : 0;
        for (int i = 0; i < k; i++) {
          double ij = widths[i][j];
          double il = widths[i][l];
          double slack = slack(i);
          sum += ij * ij * il * il / (slack * slack) + 2 * ij * widths[j][l] * il / slack;
        }
        hessian.set(j, l, sum * pulls[j] * pulls[l]);
      }
      trace += hessian.get(j, j);
    }
    for (int j = 0; j < k; j++) {
      hessian.add(j, j, JITTER * trace / k);
    }
    if (!cholesky.setA(hessian)) {
      throw new IllegalStateException("the Hessian of a convex function is not positive definite");
    }
    DMatrixRMaj right = new DMatrixRMaj(k, 1);
    for (int j = 0; j < k; j++) {
      right.set(j, 0, -gradient[j] * pulls[j]);
    }
    DMatrixRMaj solution = new DMatrixRMaj(k, 1);
    cholesky.solve(right, solution);
    double[] direction = new double[k];
    for (int j = 0; j < k; j++) {
      direction[j] = solution.get(j, 0) * pulls[j];
    }
    return direction;
  }
}
