package io.equipoise.bandit.kernel.vector;

import static jdk.incubator.vector.DoubleVector.fromArray;

import io.equipoise.bandit.kernel.Kernels;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels in vectors of four doubles, also on machines that have wider ones: two of them are the
 * eight lanes of a dot product, one is four rows of a square. Never reduces or fuses, so each lane
 * is a scalar's sum and the bits are those of {@link io.equipoise.bandit.kernel.ScalarKernels}.
 *
 * <p>No vector is handed to or got from a method of our own, however short: the compiler always
 * inlines those of the module, but ours only while its caller is not too long, and where it does
 * not, vectors become objects, and rounds would allocate.
 */
public final class VectorKernels implements Kernels {
  private static final VectorSpecies<Double> FOUR = DoubleVector.SPECIES_256;
  private static final int HALF = LANES / 2;

  /** Says whether the machine has vectors of four doubles. */
  public static boolean isWide() {
    return DoubleVector.SPECIES_PREFERRED.length() >= FOUR.length();
  }

  @Override
  public String name() {
    return "vector";
  }

  @Override
  public double dot(double[] a, int from, double[] x, int length) {
    DoubleVector low = DoubleVector.zero(FOUR);
    DoubleVector high = low;
    int j = 0;
    for (; j <= length - LANES; j += LANES) {
      low = low.add(fromArray(FOUR, a, from + j).mul(fromArray(FOUR, x, j)));
      high = high.add(fromArray(FOUR, a, from + j + HALF).mul(fromArray(FOUR, x, j + HALF)));
    }
    if (j == length) {
      DoubleVector both = low.add(high);
      return (both.lane(0) + both.lane(2)) + (both.lane(1) + both.lane(3));
    }
    return finish(
        low.lane(0),
        low.lane(1),
        low.lane(2),
        low.lane(3),
        high.lane(0),
        high.lane(1),
        high.lane(2),
        high.lane(3),
        a,
        from + j,
        x,
        j,
        length - j);
  }

  /** Adds up to seven more elements to their lanes, then the lanes. */
  private static double finish(
      double s0,
      double s1,
      double s2,
      double s3,
      double s4,
      double s5,
      double s6,
      double s7,
      double[] a,
      int k,
      double[] x,
      int j,
      int rest) {
    double t0 = rest > 0 ? s0 + a[k] * x[j] : s0;
    double t1 = rest > 1 ? s1 + a[k + 1] * x[j + 1] : s1;
    double t2 = rest > 2 ? s2 + a[k + 2] * x[j + 2] : s2;
    double t3 = rest > 3 ? s3 + a[k + 3] * x[j + 3] : s3;
    double t4 = rest > 4 ? s4 + a[k + 4] * x[j + 4] : s4;
    double t5 = rest > 5 ? s5 + a[k + 5] * x[j + 5] : s5;
    double t6 = rest > 6 ? s6 + a[k + 6] * x[j + 6] : s6;
    return ((t0 + t4) + (t2 + t6)) + ((t1 + t5) + (t3 + s7));
  }

  @Override
  public void addMultiple(double[] y, double scale, double[] x, int from, int length) {
    int j = 0;
    for (; j <= length - HALF; j += HALF) {
      fromArray(FOUR, y, j).add(fromArray(FOUR, x, from + j).mul(scale)).intoArray(y, j);
    }
    for (; j < length; j++) {
      y[j] += scale * x[from + j];
    }
  }

  @Override
  public void addMultipleTo(double[] y, int to, double scale, double[] x, int length) {
    int j = 0;
    for (; j <= length - HALF; j += HALF) {
      fromArray(FOUR, y, to + j).add(fromArray(FOUR, x, j).mul(scale)).intoArray(y, to + j);
    }
    for (; j < length; j++) {
      y[to + j] += scale * x[j];
    }
  }

  @Override
  public double dotAndAdd(double[] a, int from, double[] x, double scale, double[] y, int length) {
    DoubleVector low = DoubleVector.zero(FOUR);
    DoubleVector high = low;
    int j = 0;
    for (; j <= length - LANES; j += LANES) {
      DoubleVector a0 = fromArray(FOUR, a, from + j);
      DoubleVector a1 = fromArray(FOUR, a, from + j + HALF);
      low = low.add(a0.mul(fromArray(FOUR, x, j)));
      high = high.add(a1.mul(fromArray(FOUR, x, j + HALF)));
      fromArray(FOUR, y, j).add(a0.mul(scale)).intoArray(y, j);
      fromArray(FOUR, y, j + HALF).add(a1.mul(scale)).intoArray(y, j + HALF);
    }
    for (int k = j; k < length; k++) {
      y[k] += scale * a[from + k];
    }
    if (j == length) {
      DoubleVector both = low.add(high);
      return (both.lane(0) + both.lane(2)) + (both.lane(1) + both.lane(3));
    }
    return finish(
        low.lane(0),
        low.lane(1),
        low.lane(2),
        low.lane(3),
        high.lane(0),
        high.lane(1),
        high.lane(2),
        high.lane(3),
        a,
        from + j,
        x,
        j,
        length - j);
  }

  @Override
  public double dot(double[] a, double[] x) {
    DoubleVector low = DoubleVector.zero(FOUR);
    DoubleVector high = low;
    for (int j = 0; j < x.length; j += LANES) {
      low = low.add(fromArray(FOUR, a, j).mul(fromArray(FOUR, x, j)));
      high = high.add(fromArray(FOUR, a, j + HALF).mul(fromArray(FOUR, x, j + HALF)));
    }
    DoubleVector both = low.add(high);
    return (both.lane(0) + both.lane(2)) + (both.lane(1) + both.lane(3));
  }

  /** Two rows at a time: each part of x is read once for both. */
  @Override
  public void dots(double[][] rows, double[] x, double[] out, int count) {
    int k = 0;
    for (; k < count - 1; k += 2) {
      double[] a = rows[k];
      double[] b = rows[k + 1];
      DoubleVector lowA = DoubleVector.zero(FOUR);
      DoubleVector highA = lowA;
      DoubleVector lowB = lowA;
      DoubleVector highB = lowA;
      for (int j = 0; j < x.length; j += LANES) {
        DoubleVector low = fromArray(FOUR, x, j);
        DoubleVector high = fromArray(FOUR, x, j + HALF);
        lowA = lowA.add(fromArray(FOUR, a, j).mul(low));
        highA = highA.add(fromArray(FOUR, a, j + HALF).mul(high));
        lowB = lowB.add(fromArray(FOUR, b, j).mul(low));
        highB = highB.add(fromArray(FOUR, b, j + HALF).mul(high));
      }
      DoubleVector bothA = lowA.add(highA);
      out[k] = (bothA.lane(0) + bothA.lane(2)) + (bothA.lane(1) + bothA.lane(3));
      DoubleVector bothB = lowB.add(highB);
      out[k + 1] = (bothB.lane(0) + bothB.lane(2)) + (bothB.lane(1) + bothB.lane(3));
    }
    if (k < count) {
      out[k] = dot(rows[k], x);
    }
  }

  @Override
  public void addRow(double[] y, double scale, double[] square, int i, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, k = ROWS * i; j < columns; j += ROWS, k += ROWS * columns) {
      fromArray(FOUR, y, j).add(fromArray(FOUR, square, k).mul(scale)).intoArray(y, j);
    }
  }

  /** Reads the corner of each panel and what is below it, which counts twice. */
  @Override
  public double quadratic(double[] square, double[] x, int dimension) {
    int columns = Kernels.columns(dimension);
    DoubleVector sum = DoubleVector.zero(FOUR);
    for (int i = 0, panel = 0; i < columns; i += ROWS, panel += ROWS * columns) {
      int corner = panel + ROWS * i;
      DoubleVector s = fromArray(FOUR, square, corner).mul(x[i]);
      s = s.add(fromArray(FOUR, square, corner + 4).mul(x[i + 1]));
      s = s.add(fromArray(FOUR, square, corner + 8).mul(x[i + 2]));
      s = s.add(fromArray(FOUR, square, corner + 12).mul(x[i + 3]));
      DoubleVector below = DoubleVector.zero(FOUR);
      for (int j = i + ROWS; j < dimension; j++) {
        below = below.add(fromArray(FOUR, square, panel + ROWS * j).mul(x[j]));
      }
      sum = sum.add(s.add(below).add(below).mul(fromArray(FOUR, x, i)));
    }
    return (sum.lane(0) + sum.lane(2)) + (sum.lane(1) + sum.lane(3));
  }

  /** Two panels at a time: their sums do not wait for each other, and x is read once for both. */
  @Override
  public void times(double[] square, double[] x, double[] y, int dimension) {
    int columns = Kernels.columns(dimension);
    int i = 0;
    int panel = 0;
    for (; i < columns - ROWS; i += 2 * ROWS, panel += 2 * ROWS * columns) {
      int next = panel + ROWS * columns;
      DoubleVector s = DoubleVector.zero(FOUR);
      DoubleVector t = s;
      for (int j = 0; j < dimension; j++) {
        s = s.add(fromArray(FOUR, square, panel + ROWS * j).mul(x[j]));
        t = t.add(fromArray(FOUR, square, next + ROWS * j).mul(x[j]));
      }
      s.intoArray(y, i);
      t.intoArray(y, i + ROWS);
    }
    if (i < columns) {
      DoubleVector s = DoubleVector.zero(FOUR);
      for (int j = 0; j < dimension; j++) {
        s = s.add(fromArray(FOUR, square, panel + ROWS * j).mul(x[j]));
      }
      s.intoArray(y, i);
    }
  }

  @Override
  public void addSquare(double[] square, double scale, double[] v, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, panel = 0; j < columns; j += ROWS, panel += ROWS * columns) {
      DoubleVector four = fromArray(FOUR, v, j);
      for (int i = 0; i < dimension; i++) {
        int k = panel + ROWS * i;
        fromArray(FOUR, square, k).add(four.mul(v[i]).mul(scale)).intoArray(square, k);
      }
    }
  }

  @Override
  public void addLowerSquare(double[] square, double scale, double[] v, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, panel = 0; j < columns; j += ROWS, panel += ROWS * columns) {
      DoubleVector four = fromArray(FOUR, v, j);
      for (int i = j; i < dimension; i++) {
        int k = panel + ROWS * i;
        fromArray(FOUR, square, k).add(four.mul(v[i]).mul(scale)).intoArray(square, k);
      }
    }
  }
}
