package io.equipoise.policy.linear;

import io.equipoise.policy.kernel.Kernels;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Tests that the coefficients of a ridge regression have a norm of at most N.
 *
 * <p>With G = sum xx', b = sum r x, noise S = b - G theta, and any ridge c, exp(|S|^2 / (2 s^2))
 * (det cI / det(G + cI))^(1/2), in the norm of (G + cI)^-1, is a supermartingale (Abbasi-Yadkori,
 * Pal and Szepesvari 2011, Lemma 9), and so is the mean of it over several c. Its least value over
 * all theta of norm N at most is therefore an e-value against the norm. A small c finds
 * coefficients of features that vary little, which the ridge of the model keeps near 0.
 *
 * <p>In the eigenvectors of G, with eigenvalues g and coordinates t of theta, the least value of
 * |S|^2 is that of sum (b - g t)^2 / (g + c) for |t| at most N. For each price m at least 0, sum
 * b^2/(g + c) - g^2 b^2 / ((g + c) (g^2 + m (g + c))) - m N^2 is a lower bound (weak duality),
 * which the best price attains.
 *
 * <p>It costs O(d^3), so it looks at growing numbers of rewards, each {@value #GROWTH} times the
 * one before. With more than {@value #MOST_FEATURES} features it bounds the least value in O(d^2)
 * by the distance of the estimate from the ball. So it does where features left, whose G is not
 * known any more; the estimate speaks for the ridge of the model alone, one of {@value #COUNT}.
 */
final class NormTest {
  private static final double[] RIDGES = {1, 1e-2, 1e-4};
  private static final int COUNT = 3;
  private static final double GROWTH = 1.1;
  private static final int MOST_FEATURES = 128;
  private static final int STEPS = 60;

  private NormTest() {}

  /**
   * Returns the logarithm of the e-value after a reward; NaN where the test does not look.
   *
   * @param norm N
   * @param scale s, of one reward
   */
  static double logEvidence(RidgeRegression ridge, double norm, double scale) {
    if (ridge.isEmpty()) {
      return Double.NaN;
    }
    if (ridge.dimension > MOST_FEATURES) {
      return ofEstimate(ridge, norm, scale);
    }
    if (ridge.hasLost()) {
      return ofEstimate(ridge, norm, scale) - StrictMath.log(COUNT);
    }
    double n = (double) ridge.n;
    double steps = StrictMath.log(GROWTH);
    boolean isDue =
        n < 1 / (GROWTH - 1)
            || Math.floor(StrictMath.log(n) / steps) > Math.floor(StrictMath.log(n - 1) / steps);
    return isDue ? ofSums(ridge, norm, scale) : Double.NaN;
  }

  private static double ofSums(RidgeRegression ridge, double norm, double scale) {
    int d = ridge.dimension;
    DMatrixRMaj gram = new DMatrixRMaj(d, d);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double value = ridge.gram[SymmetricMatrix.place(d, i, j)];
        gram.unsafe_set(i, j, value);
        gram.unsafe_set(j, i, value);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, true, true);
    if (!eigen.decompose(gram)) {
      return Double.NaN;
    }
    double[] g = new double[d];
    double[] b = new double[d];
    for (int k = 0; k < d; k++) {
      g[k] = Math.max(0, eigen.getEigenvalue(k).getReal());
      DMatrixRMaj vector = eigen.getEigenVector(k);
      for (int i = 0; i < d; i++) {
        b[k] += vector.unsafe_get(i, 0) * ridge.b[i];
      }
    }
    double most = Double.NEGATIVE_INFINITY;
    double sum = 0;
    for (double of : RIDGES) {
      double log = logEvidence(g, b, of * ridge.lambda, norm, scale);
      double greatest = Math.max(most, log);
      sum = sum * StrictMath.exp(most - greatest) + StrictMath.exp(log - greatest);
      most = greatest;
    }
    return most + StrictMath.log(sum / COUNT);
  }

  private static double logEvidence(
      double[] g, double[] b, double ridge, double norm, double scale) {
    double low = 0;
    double high = 1;
    while (excess(g, b, ridge, norm, high) > 0 && high < 1e300) {
      low = high;
      high *= 4;
    }
    for (int step = 0; step < STEPS && excess(g, b, ridge, norm, 0) > 0; step++) {
      double middle = low + (high - low) / 2;
      if (excess(g, b, ridge, norm, middle) > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double price = excess(g, b, ridge, norm, 0) > 0 ? high : 0;
    double least = -price * norm * norm;
    double logs = 0;
    for (int k = 0; k < g.length; k++) {
      double whole = g[k] + ridge;
      double left = g[k] * g[k] + price * whole;
      least += left > 0 ? b[k] * b[k] / whole * (1 - g[k] * g[k] / left) : 0;
      logs += StrictMath.log(whole / ridge);
    }
    return Math.max(0, least) / (2 * scale * scale) - logs / 2;
  }

  /** Returns by how much the square of |theta| exceeds that of the norm at a price. */
  private static double excess(double[] g, double[] b, double ridge, double norm, double price) {
    double squares = -norm * norm;
    for (int k = 0; k < g.length; k++) {
      double left = g[k] * g[k] + price * (g[k] + ridge);
      double t = left > 0 ? g[k] * b[k] / left : 0;
      squares += t * t;
    }
    return squares;
  }

  /**
   * Of an estimate e, |S| is at least (|e|^2 - N |e|) / |e| in the norm of A^-1, less sqrt(lambda)
   * N.
   */
  private static double ofEstimate(RidgeRegression ridge, double norm, double scale) {
    double squares = Kernels.dot(ridge.theta, ridge.theta);
    double size = Math.sqrt(squares);
    if (size <= norm) {
      return Double.NEGATIVE_INFINITY;
    }
    double distance = (squares - norm * size) / Math.sqrt(ridge.squaredWidth(ridge.theta));
    double noise = Math.max(0, distance - Math.sqrt(ridge.lambda) * norm);
    return noise * noise / (2 * scale * scale) - Math.max(0, ridge.logDeterminant()) / 2;
  }
}
