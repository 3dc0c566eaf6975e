package io.equipoise.policy.allocation;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;
import org.jspecify.annotations.Nullable;

/**
 * States the program of the cheapest pulls that separate all suboptimal rows from the best of their
 * contexts (Huang and Wu 2023, equations 18 and 19; docs/math/allocation.md#the-plan):
 *
 * <pre>
 * minimize    sum_j T_j gap_j
 * subject to  x_i' H(T)^-1 x_i &lt;= gap_i^2 / f  for each suboptimal row i,  T &gt;= 0
 * H(T) = B sum_{best rows} x x' + sum_j T_j x_j x_j' + 10^-3 I,  B = 10^3 f / (least gap)^2
 * </pre>
 *
 * <p>Pulls of the best rows cost nothing, so they are taken to be many. Convex, since x' H^-1 x is
 * convex in H. Immutable.
 */
final class AllocationProblem {
  private static final double FREE = 1e3;
  private static final double RIDGE = 1e-3;

  private final double[][] rows;
  private final double[] gaps;
  private final double f;
  private final DMatrixRMaj base;

  /**
   * @param rows features of the suboptimal rows, at least one
   * @param gaps what a pull of each costs, above 0
   * @param best features of the best rows
   * @param f the confidence that is asked for, f_n
   */
  AllocationProblem(double[][] rows, double[] gaps, double[][] best, double f) {
    if (rows.length == 0 || rows.length != gaps.length || !(f > 0)) {
      throw new IllegalArgumentException(
          rows.length + " rows, " + gaps.length + " gaps, confidence " + f);
    }
    this.rows = rows.clone();
    this.gaps = gaps.clone();
    this.f = f;
    double least = Double.POSITIVE_INFINITY;
    for (double gap : gaps) {
      if (!(gap > 0)) {
        throw new IllegalArgumentException("a suboptimal row has the gap " + gap);
      }
      least = Math.min(least, gap);
    }
    base = CommonOps_DDRM.identity(rows[0].length);
    CommonOps_DDRM.scale(RIDGE, base);
    for (double[] x : best) {
      addSquare(base, FREE * f / (least * least), x);
    }
  }

  int size() {
    return rows.length;
  }

  double gap(int row) {
    return gaps[row];
  }

  /** Returns the greatest squared width that row i may have. */
  double limit(int row) {
    return gaps[row] * gaps[row] / f;
  }

  double cost(double[] pulls) {
    double sum = 0;
    for (int j = 0; j < pulls.length; j++) {
      sum += pulls[j] * gaps[j];
    }
    return sum;
  }

  /**
   * Returns M_ij = x_i' H(T)^-1 x_j: with H = L L', the products of the L^-1 x_i, so that M is
   * symmetric and not negative definite however badly H is conditioned. Returns null where rounding
   * makes H not positive definite.
   */
  double @Nullable [][] widths(double[] pulls) {
    DMatrixRMaj h = base.copy();
    for (int j = 0; j < pulls.length; j++) {
      addSquare(h, pulls[j], rows[j]);
    }
    CholeskyDecomposition_F64<DMatrixRMaj> cholesky =
        DecompositionFactory_DDRM.chol(h.numRows, true);
    if (!cholesky.decompose(h)) {
      return null;
    }
    DMatrixRMaj l = cholesky.getT(null);
    double[][] z = new double[size()][];
    for (int i = 0; i < size(); i++) {
      z[i] = forward(l, rows[i]);
    }
    double[][] widths = new double[size()][size()];
    for (int i = 0; i < size(); i++) {
      for (int j = 0; j <= i; j++) {
        widths[i][j] = OamTable.dot(z[i], z[j]);
        widths[j][i] = widths[i][j];
      }
    }
    return widths;
  }

  /** Solves L z = x. */
  private static double[] forward(DMatrixRMaj l, double[] x) {
    double[] z = x.clone();
    for (int i = 0; i < z.length; i++) {
      for (int j = 0; j < i; j++) {
        z[i] -= l.unsafe_get(i, j) * z[j];
      }
      z[i] /= l.unsafe_get(i, i);
    }
    return z;
  }

  static void addSquare(DMatrixRMaj to, double weight, double[] x) {
    for (int a = 0; a < x.length; a++) {
      for (int b = 0; b < x.length; b++) {
        to.add(a, b, weight * x[a] * x[b]);
      }
    }
  }
}
