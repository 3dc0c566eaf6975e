package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.Tier;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Sums over nonzero features, written naively, to the bit: squares, packed, one feature, many. */
class SymmetricMatrixTest {
  private static final int RUNS = Tier.count(600, 6000);

  private static double number(SplittableRandom random) {
    return random.nextGaussian() * Math.pow(10, random.nextInt(7) - 3);
  }

  private static double[] sparse(SplittableRandom random, int d) {
    double[] x = new double[d];
    for (int k = random.nextInt(1 + d / 3); k >= 0; k--) {
      x[random.nextInt(d)] = random.nextInt(3) == 0 ? 1 : number(random);
    }
    return x;
  }

  private static double[][] matrix(SplittableRandom random, int d) {
    double[][] m = new double[d][d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        m[i][j] = random.nextInt(9) == 0 ? -0.0 : number(random);
        m[j][i] = m[i][j];
      }
    }
    return m;
  }

  private static double[] stored(double[][] m) {
    double[] stored = new double[SymmetricMatrix.length(m.length)];
    for (int i = 0; i < m.length; i++) {
      for (int j = 0; j <= i; j++) {
        SymmetricMatrix.set(stored, m.length, i, j, m[i][j]);
      }
    }
    return stored;
  }

  private static double quadratic(double[][] m, double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      double below = 0;
      for (int j = 0; j < i; j++) {
        below = x[j] == 0 ? below : below + m[i][j] * x[j];
      }
      sum = x[i] == 0 ? sum : sum + x[i] * (2 * below + m[i][i] * x[i]);
    }
    return sum;
  }

  private static double dot(double[] v, double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum = x[i] == 0 ? sum : sum + v[i] * x[i];
    }
    return sum;
  }

  @Test
  void sumsOverNonzeroFeaturesAddInAscendingOrder() {
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(run);
      int d = 3 + run % 44;
      double[] x = sparse(random, d);
      FeatureVector features = FeatureVector.of(x);
      if (!features.isSparse()) {
        continue;
      }
      String hint = "seed " + run + ", dimension " + d;
      double[][] m = matrix(random, d);
      double[] stored = stored(m);
      assertSameBits(quadratic(m, x), SymmetricMatrix.quadratic(stored, features), hint);
      double[] y = new double[(d + 7) / 8 * 8];
      SymmetricMatrix.times(stored, features, y);
      for (int i = 0; i < d; i++) {
        assertSameBits(dot(m[i], x), y[i], hint);
        assertSameBits(dot(m[i], x), SymmetricMatrix.dot(m[i], features), hint);
      }
      SymmetricMatrix.addLowerSquare(stored, 1, features);
      for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
          boolean isTouched = x[i] != 0 && x[j] != 0;
          double expected = isTouched ? m[i][j] + x[i] * x[j] : m[i][j];
          assertSameBits(expected, stored[SymmetricMatrix.place(d, i, j)], hint);
        }
      }
    }
  }

  private static void assertSameBits(double expected, double found, String hint) {
    assertEquals(Double.doubleToRawLongBits(expected), Double.doubleToRawLongBits(found), hint);
  }
}
