package io.equipoise.policy.allocation;

import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;
import org.jspecify.annotations.Nullable;

/**
 * Solves an {@link AllocationProblem} by a logarithmic barrier and damped Newton steps (Boyd and
 * Vandenberghe 2004, sections 9.5 and 11.3). With slack s_i = limit_i - M_ii:
 *
 * <pre>
 * minimize  t sum_j T_j gap_j - sum_j ln T_j - sum_i ln s_i
 * gradient_j   = t gap_j - 1 / T_j - sum_i M_ij^2 / s_i
 * Hessian_jl   = [j = l] / T_j^2 + sum_i M_ij^2 M_il^2 / s_i^2 + 2 sum_i M_ij M_jl M_li / s_i
 * </pre>
 *
 * <p>Variables are scaled by T before the Cholesky decomposition, which a relative jitter of 10^-9
 * keeps positive definite. t grows tenfold until the duality gap 2k / t is below a thousandth of
 * the cost. A step costs O(k^3) for k rows. Every iterate is feasible, so where rounding ends the
 * descent early what it has is returned. Belongs to one call: pulls is the current iterate, the
 * widths are derived from it, and t is the weight of the current stage.
 */
final class BarrierSolver {
  private static final double GAP = 1e-3;
  private static final double GROWTH = 10;
  private static final double JITTER = 1e-9;
  private static final double DECREMENT = 1e-6;
  private static final int MAX_STEPS = 60;
  private static final int MAX_STAGES = 40;
  private static final double ARMIJO = 0.25;
  private static final double MOST_PULLS = 1e18;

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

  /**
   * Returns how often each row of the problem is to be pulled; null where double precision finds no
   * number of pulls that tells the rows apart.
   */
  static double @Nullable [] solve(AllocationProblem problem) {
    return new BarrierSolver(problem).solve();
  }

  private double @Nullable [] solve() {
    if (!start()) {
      return null;
    }
    double cost = problem.cost(pulls);
    t = 2.0 * k / cost;
    for (int stage = 0; stage < MAX_STAGES; stage++) {
      center();
      cost = problem.cost(pulls);
      if (2.0 * k / t < GAP * cost) {
        break;
      }
      t *= GROWTH;
    }
    return pulls;
  }

  /** Pulls every row equally often, so often that all widths are below half their limits. */
  private boolean start() {
    for (double each = 1; each < MOST_PULLS; each *= 4) {
      Arrays.fill(pulls, each);
      double[][] found = problem.widths(pulls);
      boolean isWithin = found != null;
      for (int i = 0; found != null && i < k; i++) {
        isWithin &= found[i][i] < problem.limit(i) / 2;
      }
      if (found != null && isWithin) {
        widths = found;
        return true;
      }
    }
    return false;
  }

  private void center() {
    for (int step = 0; step < MAX_STEPS; step++) {
      double[] gradient = gradient();
      double[] direction = direction(gradient);
      if (direction == null) {
        return;
      }
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
        if (nextWidths != null && objective(next, nextWidths) <= before + ARMIJO * length * slope) {
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

  /**
   * Returns the Newton step -Hessian^-1 gradient, solved in variables T_j relative to pulls; null
   * where rounding makes the Hessian not positive definite.
   */
  private double @Nullable [] direction(double[] gradient) {
    DMatrixRMaj hessian = new DMatrixRMaj(k, k);
    double[] inverseSlack = new double[k];
    Arrays.setAll(inverseSlack, i -> 1 / slack(i));
    double trace = 0;
    for (int j = 0; j < k; j++) {
      for (int l = 0; l <= j; l++) {
        double sum = j == l ? 1 / (pulls[j] * pulls[j]) : 0;
        for (int i = 0; i < k; i++) {
          double part = widths[i][j] * widths[i][l] * inverseSlack[i];
          sum += part * (part + 2 * widths[j][l]);
        }
        double scaled = sum * pulls[j] * pulls[l];
        hessian.set(j, l, scaled);
        hessian.set(l, j, scaled);
      }
      trace += hessian.get(j, j);
    }
    for (int j = 0; j < k; j++) {
      hessian.add(j, j, JITTER * trace / k);
    }
    if (!cholesky.setA(hessian)) {
      return null;
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
