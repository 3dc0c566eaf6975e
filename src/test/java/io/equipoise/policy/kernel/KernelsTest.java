package io.equipoise.policy.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.Tier;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The orders of sums, written naively, against {@link Kernels}, to the bit. */
class KernelsTest {
  private static final int RUNS = Tier.count(400, 4000);
  private static final int LARGEST = 45;

  /** Numbers of very different sizes, so that another order of a sum shows. */
  private static double[] numbers(SplittableRandom random, int length, int padded) {
    double[] numbers = new double[padded];
    for (int i = 0; i < length; i++) {
      numbers[i] = random.nextGaussian() * Math.pow(10, random.nextInt(9) - 4);
    }
    return numbers;
  }

  private static double[] square(SplittableRandom random, int d) {
    double[] square = new double[Kernels.squareLength(d)];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j <= i; j++) {
        double value = random.nextGaussian() * Math.pow(10, random.nextInt(5) - 2);
        square[Kernels.place(d, i, j)] = value;
        square[Kernels.place(d, j, i)] = value;
      }
    }
    return square;
  }

  private static double naiveDot(double[] a, int from, double[] x, int length) {
    double[] lane = new double[8];
    for (int j = 0; j < length; j++) {
      lane[j % 8] += a[from + j] * x[j];
    }
    return ((lane[0] + lane[4]) + (lane[2] + lane[6]))
        + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }

  @Test
  void aDotProductAddsItsLanesAsStated() {
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(run);
      int length = run % 40;
      int from = random.nextInt(5);
      double[] a = numbers(random, from + length, from + length);
      double[] x = numbers(random, length, length);
      String hint = "seed " + run + ", length " + length;
      double expected = naiveDot(a, from, x, length);
      assertEquals(expected, Kernels.dot(a, from, x, length), hint);
    }
  }

  @Test
  void additionsOfMultiplesTouchNoOtherElement() {
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(run);
      int length = run % 40;
      int from = random.nextInt(5);
      double[] x = numbers(random, length + from, length + from);
      double[] start = numbers(random, length + from + 3, length + from + 3);
      double scale = random.nextGaussian();
      double[] at0 = start.clone();
      double[] atFrom = start.clone();
      for (int j = 0; j < length; j++) {
        at0[j] += scale * x[from + j];
        atFrom[from + j] += scale * x[j];
      }
      String hint = "seed " + run;
      double[] y = start.clone();
      Kernels.addMultiple(y, scale, x, from, length);
      assertArrayEquals(at0, y, hint);
      y = start.clone();
      Kernels.addMultipleTo(y, from, scale, x, length);
      assertArrayEquals(atFrom, y, hint);
      y = start.clone();
      double[] z = numbers(new SplittableRandom(run + 1), length, length);
      double dot = Kernels.dotAndAdd(x, from, z, scale, y, length);
      assertEquals(naiveDot(x, from, z, length), dot, hint);
      assertArrayEquals(at0, y, hint);
    }
  }

  @Test
  void aRowOfASquareAndAPaddedDotProductAreThoseOfTheLongForms() {
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(run);
      int d = 1 + run % LARGEST;
      int i = random.nextInt(d);
      double[] square = square(random, d);
      double[] a = numbers(random, d, Kernels.padded(d));
      double[] start = numbers(random, d, Kernels.padded(d));
      double scale = random.nextGaussian();
      double[] expected = start.clone();
      for (int j = 0; j < d; j++) {
        expected[j] += scale * square[Kernels.place(d, i, j)];
      }
      String hint = "seed " + run;
      double[] y = start.clone();
      Kernels.addRow(y, scale, square, i, d);
      assertArrayEquals(expected, y, hint);
      assertEquals(naiveDot(a, 0, start, d), Kernels.dot(a, start), hint);
      double[][] rows = new double[run % 4][];
      Arrays.setAll(rows, k -> k == 1 ? a : start);
      double[] dots = new double[4];
      Kernels.dots(rows, start, dots, rows.length);
      for (int k = 0; k < 4; k++) {
        double dot = k >= rows.length ? 0 : naiveDot(rows[k], 0, start, d);
        assertEquals(dot, dots[k], hint);
      }
    }
  }

  @Test
  void aSquareTimesAVectorAddsAsStated() {
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(run);
      int d = 1 + run % LARGEST;
      double[] square = square(random, d);
      double[] x = numbers(random, d, Kernels.padded(d));
      double[] expected = new double[Kernels.padded(d)];
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          expected[i] += square[Kernels.place(d, i, j)] * x[j];
        }
      }
      double[] y = new double[Kernels.padded(d)];
      Kernels.times(square, x, y, d);
      assertArrayEquals(expected, y, "seed " + run);
    }
  }

  /** In the order that {@link Kernels#quadratic} states. */
  private static double naiveQuadratic(double[] m, double[] x, int d) {
    double[] lane = new double[4];
    for (int i = 0; i < d; i++) {
      int first = i - i % 4;
      double corner = m[Kernels.place(d, first, i)] * x[first];
      for (int j = first + 1; j < Math.min(first + 4, d); j++) {
        corner += m[Kernels.place(d, j, i)] * x[j];
      }
      double below = 0;
      for (int j = first + 4; j < d; j++) {
        below += m[Kernels.place(d, j, i)] * x[j];
      }
      lane[i % 4] += ((corner + below) + below) * x[i];
    }
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
  }

  @Test
  void aQuadraticFormAddsAsStated() {
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(run);
      int d = 1 + run % LARGEST;
      double[] square = square(random, d);
      double[] x = numbers(random, d, Kernels.padded(d));
      double expected = naiveQuadratic(square, x, d);
      double[] y = new double[x.length];
      Kernels.times(square, x, y, d);
      double size = 0;
      double plain = 0;
      for (int i = 0; i < d; i++) {
        plain += x[i] * y[i];
        for (int j = 0; j < d; j++) {
          size += Math.abs(x[i] * square[Kernels.place(d, i, j)] * x[j]);
        }
      }
      assertEquals(plain, expected, 1e-14 * size, "seed " + run);
      assertEquals(expected, Kernels.quadratic(square, x, d), "seed " + run);
    }
  }

  @Test
  void anUpdateLeavesASquareSymmetricToTheBit() {
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = new SplittableRandom(run);
      int d = 1 + run % LARGEST;
      double[] start = square(random, d);
      double[] v = numbers(random, d, Kernels.padded(d));
      double scale = random.nextGaussian();
      double[] expected = start.clone();
      for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
          expected[Kernels.place(d, i, j)] += (v[i] * v[j]) * scale;
          expected[Kernels.place(d, j, i)] = expected[Kernels.place(d, i, j)];
        }
      }
      String hint = "seed " + run;
      double[] square = start.clone();
      Kernels.addSquare(square, scale, v, d);
      assertArrayEquals(expected, square, hint);
      double[] lower = start.clone();
      Kernels.addLowerSquare(lower, scale, v, d);
      for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
          int place = Kernels.place(d, i, j);
          assertEquals(expected[place], lower[place], hint);
        }
      }
    }
  }
}
