package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.equipoise.policy.logistic.ParameterEstimate.LocalEffect;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.chol.CholeskyDecompositionInner_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What skips zeros, or sums several rows at once, is to the last bit what plain loops give. */
class SparseSumsTest {
  private static final int N = 23;

  /** The plain loops, over all places and in their order. */
  private static final class Plain {
    final double[][] h = new double[N][N];
    final double[][] inverse = new double[N][N];

    Plain(double lambda) {
      for (int i = 0; i < N; i++) {
        h[i][i] = lambda;
        inverse[i][i] = 1 / lambda;
      }
    }

    double[] solve(double[] x) {
      double[] solved = new double[N];
      for (int row = 0; row < N; row++) {
        solved[row] = Vectors.dot(inverse[row], x);
      }
      return solved;
    }

    void add(double[] x, double[] v, double q, double weight) {
      double shrink = weight / (1 + weight * q);
      for (int row = 0; row < N; row++) {
        for (int column = 0; column <= row; column++) {
          h[row][column] += weight * x[row] * x[column];
          inverse[row][column] -= shrink * v[row] * v[column];
          h[column][row] = h[row][column];
          inverse[column][row] = inverse[row][column];
        }
      }
    }

    double logDet() {
      DMatrixRMaj matrix = new DMatrixRMaj(h);
      CholeskyDecompositionInner_DDRM cholesky = new CholeskyDecompositionInner_DDRM(true);
      assertEquals(true, cholesky.decompose(matrix));
      double sum = 0;
      for (int i = 0; i < N; i++) {
        sum += 2 * StrictMath.log(cholesky.getT().get(i, i));
      }
      return sum;
    }
  }

  private static double[] vector(SplittableRandom random, double density) {
    double[] x = new double[N];
    for (int i = 0; i < N; i++) {
      boolean isThere = random.nextDouble() < density;
      x[i] = isThere ? random.nextDouble() - .5 : random.nextBoolean() ? 0 : -0.0;
    }
    return x;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, .1, .3, 1})
  void curvatureIsThatOfPlainLoopsToTheLastBit(double density) {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Plain plain = new Plain(.7);
      Curvature curvature = new Curvature(N, .7);
      double[] v = new double[N];
      for (int step = 0; step < 60; step++) {
        String place = "seed " + seed + ", step " + step;
        double[] x = vector(random, density);
        double[] other = vector(random, .3);
        curvature.solve(x, v);
        assertArrayEquals(plain.solve(x), v, 0, place);
        double product = 0;
        double[] solved = plain.solve(other);
        for (int i = 0; i < N; i++) {
          product += x[i] * solved[i];
        }
        assertEquals(product, curvature.product(x, other), 0, place);
        double q = Math.max(0, Vectors.dot(x, v));
        double weight = random.nextDouble() / 4;
        plain.add(x, v, q, weight);
        curvature.add(x, v.clone(), q, weight);
        for (int i = 0; i < N; i++) {
          for (int j = 0; j < N; j++) {
            assertEquals(bits(plain.h[i][j]), bits(curvature.h.get(i, j)), place);
            assertEquals(bits(plain.inverse[i][j]), bits(curvature.inverse.get(i, j)), place);
          }
        }
        assertEquals(plain.logDet(), curvature.logDet(), 0, place);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 20})
  void whatANearVectorGivesIsWhatTheInverseGives(int apart) {
    for (long seed = 1; seed <= 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Curvature curvature = new Curvature(N, .7);
      double[] v = new double[N];
      for (int step = 0; step < 30; step++) {
        double[] seen = vector(random, 1);
        curvature.solve(seen, v);
        curvature.add(seen, v.clone(), Vectors.dot(seen, v), .25);
      }
      double[] near = vector(random, .9);
      double[] x = Vectors.scaled(random.nextDouble(.1, 3), near);
      for (int i = 0; i < apart; i++) {
        x[random.nextInt(i % 2 == 0 ? 3 : N)] = random.nextInt(3) - 1;
      }
      double[] ofNear = new double[N];
      curvature.solve(near, ofNear);
      curvature.solve(x, v);
      assertArrayEquals(v, curvature.solved(x, near, ofNear), 1e-12, "seed " + seed);
    }
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  @ParameterizedTest
  @ValueSource(doubles = {.15, 1})
  void anEstimateSeesWhatPlainSumsSee(double density) {
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] theta = vector(random, .9);
      Curvature curvature = new Curvature(N, .7);
      ParameterEstimate parameterEstimate =
          new ParameterEstimate(new LogisticScale(N, 5), theta, curvature, 1);
      double[] v = new double[N];
      for (int row = random.nextInt(4 * N); row > 0; row--) {
        double[] seen = vector(random, .9);
        curvature.solve(seen, v);
        curvature.add(seen, v, Vectors.dot(seen, v), 1);
      }
      double[] x = vector(random, density);
      double[] xc = vector(random, density);
      Point point = parameterEstimate.at(x);
      double z = Vectors.dot(x, theta);
      assertEquals(z, point.z, 0, "seed " + seed);
      assertEquals(Logistic.mean(z), point.mean(), 0, "seed " + seed);
      assertEquals(Logistic.slope(z), point.slope(), 0, "seed " + seed);
      assertEquals(Vectors.norm(x), point.norm(), 0, "seed " + seed);
      double[] gradient = new double[N];
      for (int i = 0; i < N; i++) {
        gradient[i] = Logistic.slope(z) * x[i] - Logistic.slope(Vectors.dot(xc, theta)) * xc[i];
      }
      LocalEffect local = parameterEstimate.local(x, xc);
      PointPair pair = parameterEstimate.pair(x, xc, EffectScale.PROBABILITY);
      assertArrayEquals(gradient, pair.gradient(), 0, "seed " + seed);
      assertEquals(
          !(local.overlap().unsupportedShare() < .5), pair.isUnsupported(), "seed " + seed);
      assertEquals(parameterEstimate.effect(x, xc), local.effect(), 0, "seed " + seed);
    }
  }

  @Test
  void addingToACurvatureAllocatesNothing() {
    int n = 200;
    Curvature curvature = new Curvature(n, 1);
    double[] x = new double[n];
    double[] v = new double[n];
    x[3] = 0.5;
    x[n - 1] = -0.25;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int round = 0; round <= 200; round++) {
      before = round == 1 ? threads.getCurrentThreadAllocatedBytes() : before;
      curvature.solve(x, v);
      curvature.add(x, v, Vectors.dot(x, v), 0.25);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < 20_000, bytes + " bytes for 200 additions");
  }
}
