package io.equipoise.bandit.kernel.vector;

import io.equipoise.bandit.kernel.Kernels;
import io.equipoise.bandit.kernel.SquareCorner;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels in vectors of four doubles, also on machines that have wider ones: two of them are the
 * eight lanes of a dot product, one is four rows of a square. Never reduces or fuses, so each lane
 * is a scalar's sum and the bits are those of {@link io.equipoise.bandit.kernel.ScalarKernels}.
 *
 * <p>No vector is handed to a method longer than {@link #at}: where the compiler does not inline a
 * call, the vectors it passes become objects, and rounds would allocate.
 */
public final class VectorKernels implements Kernels {
  private static final VectorSpecies<Double> FOUR = DoubleVector.SPECIES_256;
  private static final int HALF = LANES / 2;

  /** Of four columns, those right of the diagonal in the first of their four rows, and so on. */
  private static final VectorMask<Double> RIGHT_OF_0 = VectorMask.fromLong(FOUR, 0b1110);

  private static final VectorMask<Double> RIGHT_OF_1 = VectorMask.fromLong(FOUR, 0b1100);
  private static final VectorMask<Double> RIGHT_OF_2 = VectorMask.fromLong(FOUR, 0b1000);

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
      low = low.add(at(a, from + j).mul(at(x, j)));
      high = high.add(at(a, from + j + HALF).mul(at(x, j + HALF)));
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

  private static DoubleVector at(double[] values, int place) {
    return DoubleVector.fromArray(FOUR, values, place);
  }

  @Override
  public void addMultiple(double[] y, double scale, double[] x, int from, int length) {
    int j = 0;
    for (; j <= length - HALF; j += HALF) {
      at(y, j).add(at(x, from + j).mul(scale)).intoArray(y, j);
    }
    for (; j < length; j++) {
      y[j] += scale * x[from + j];
    }
  }

  @Override
  public void addMultipleTo(double[] y, int to, double scale, double[] x, int length) {
    int j = 0;
    for (; j <= length - HALF; j += HALF) {
      at(y, to + j).add(at(x, j).mul(scale)).intoArray(y, to + j);
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
      DoubleVector a0 = at(a, from + j);
      DoubleVector a1 = at(a, from + j + HALF);
      low = low.add(a0.mul(at(x, j)));
      high = high.add(a1.mul(at(x, j + HALF)));
      at(y, j).add(a0.mul(scale)).intoArray(y, j);
      at(y, j + HALF).add(a1.mul(scale)).intoArray(y, j + HALF);
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
  public double quadratic(double[] square, double[] x, int dimension) {
    int stride = Kernels.stride(dimension);
    int whole = dimension - dimension % ROWS;
    double sum = 0;
    for (int i = 0; i < whole; i += ROWS) {
      DoubleVector s = DoubleVector.zero(FOUR);
      for (int j = 0, k = i; j < i; j++, k += stride) {
        s = s.add(at(square, k).mul(x[j]));
      }
      sum +=
          SquareCorner.quadratic(square, x, i, stride, s.lane(0), s.lane(1), s.lane(2), s.lane(3));
    }
    return SquareCorner.addLastRows(sum, square, x, whole, dimension, stride);
  }

  @Override
  public void times(double[] square, double[] x, double[] y, int dimension) {
    int stride = Kernels.stride(dimension);
    int whole = dimension - dimension % ROWS;
    for (int i = 0; i < stride; i += ROWS) {
      DoubleVector s = DoubleVector.zero(FOUR);
      int left = i < whole ? i : dimension;
      int j = 0;
      int k = i;
      for (; j < left; j++, k += stride) {
        s = s.add(at(square, k).mul(x[j]));
      }
      for (; j < whole; j += ROWS, k += ROWS * stride) {
        DoubleVector first = at(square, k).mul(x[j]).add(at(square, k + stride).mul(x[j + 1]));
        DoubleVector second =
            at(square, k + 2 * stride).mul(x[j + 2]).add(at(square, k + 3 * stride).mul(x[j + 3]));
        s = s.add(first.add(second));
      }
      for (; j < dimension; j++, k += stride) {
        s = s.add(at(square, k).mul(x[j]));
      }
      s.intoArray(y, i);
    }
  }

  /**
   * Four columns at a time, down all rows. Below the diagonal M_ij takes (scale v_i) v_j, above it
   * (scale v_j) v_i, the same product: the square stays symmetric to the bit.
   */
  @Override
  public void addSquare(double[] square, double scale, double[] v, int dimension) {
    int stride = Kernels.stride(dimension);
    for (int j = 0; j < stride; j += ROWS) {
      DoubleVector columns = at(v, j);
      DoubleVector scaled = columns.mul(scale);
      int k = j;
      for (int i = 0; i < j; i++, k += stride) {
        at(square, k).add(scaled.mul(v[i])).intoArray(square, k);
      }
      double v0 = v[j];
      DoubleVector row0 = columns.mul(scale * v0).blend(scaled.mul(v0), RIGHT_OF_0);
      at(square, k).add(row0).intoArray(square, k);
      k += stride;
      if (j + 1 < dimension) {
        double v1 = v[j + 1];
        DoubleVector row1 = columns.mul(scale * v1).blend(scaled.mul(v1), RIGHT_OF_1);
        at(square, k).add(row1).intoArray(square, k);
        k += stride;
      }
      if (j + 2 < dimension) {
        double v2 = v[j + 2];
        DoubleVector row2 = columns.mul(scale * v2).blend(scaled.mul(v2), RIGHT_OF_2);
        at(square, k).add(row2).intoArray(square, k);
        k += stride;
      }
      for (int i = j + 3; i < dimension; i++, k += stride) {
        at(square, k).add(columns.mul(scale * v[i])).intoArray(square, k);
      }
    }
  }

  @Override
  public void addLowerSquare(double[] square, double scale, double[] v, int dimension) {
    int stride = Kernels.stride(dimension);
    for (int j = 0; j < stride; j += ROWS) {
      DoubleVector columns = at(v, j);
      int k = j * stride + j;
      for (int i = j; i < dimension; i++, k += stride) {
        at(square, k).add(columns.mul(scale * v[i])).intoArray(square, k);
      }
    }
  }
}
