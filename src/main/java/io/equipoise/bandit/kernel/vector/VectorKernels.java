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
 */
public final class VectorKernels implements Kernels {
  private static final VectorSpecies<Double> FOUR = DoubleVector.SPECIES_256;
  private static final int HALF = LANES / 2;

  /** Of the four columns that hold a row's diagonal, those right of it. */
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
    return j == length ? sum(low.add(high)) : finish(low, high, a, from + j, x, j, length - j);
  }

  /** Adds four lanes, to which the upper four were added. */
  private static double sum(DoubleVector lanes) {
    return (lanes.lane(0) + lanes.lane(2)) + (lanes.lane(1) + lanes.lane(3));
  }

  /** Adds up to seven more elements to their lanes, then the lanes. */
  private static double finish(
      DoubleVector low, DoubleVector high, double[] a, int k, double[] x, int j, int rest) {
    if (rest >= HALF) {
      low = low.add(at(a, k).mul(at(x, j)));
      double s4 = high.lane(0);
      double s5 = high.lane(1);
      double s6 = high.lane(2);
      s4 = rest > 4 ? s4 + a[k + 4] * x[j + 4] : s4;
      s5 = rest > 5 ? s5 + a[k + 5] * x[j + 5] : s5;
      s6 = rest > 6 ? s6 + a[k + 6] * x[j + 6] : s6;
      return ((low.lane(0) + s4) + (low.lane(2) + s6))
          + ((low.lane(1) + s5) + (low.lane(3) + high.lane(3)));
    }
    double s0 = low.lane(0) + a[k] * x[j];
    double s1 = rest > 1 ? low.lane(1) + a[k + 1] * x[j + 1] : low.lane(1);
    double s2 = rest > 2 ? low.lane(2) + a[k + 2] * x[j + 2] : low.lane(2);
    return ((s0 + high.lane(0)) + (s2 + high.lane(2)))
        + ((s1 + high.lane(1)) + (low.lane(3) + high.lane(3)));
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
  public double dotAndAdd(
      double[] a, int from, double[] x, double scale, double[] y, int length) {
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
    return j == length ? sum(low.add(high)) : finish(low, high, a, from + j, x, j, length - j);
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
          SquareCorner.quadratic(
              square, x, i, stride, s.lane(0), s.lane(1), s.lane(2), s.lane(3));
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

  /** Left of the diagonal M_ij takes (scale v_i) v_j, right of it (scale v_j) v_i: symmetric. */
  @Override
  public void addSquare(double[] square, double scale, double[] v, int dimension) {
    int stride = Kernels.stride(dimension);
    for (int i = 0, row = 0; i < dimension; i++, row += stride) {
      double vi = v[i];
      double factor = scale * vi;
      int own = i & -ROWS;
      for (int j = 0; j < own; j += ROWS) {
        at(square, row + j).add(at(v, j).mul(factor)).intoArray(square, row + j);
      }
      DoubleVector here = at(v, own);
      DoubleVector left = here.mul(factor);
      DoubleVector right = here.mul(scale).mul(vi);
      at(square, row + own).add(blend(left, right, i - own)).intoArray(square, row + own);
      for (int j = own + ROWS; j < stride; j += ROWS) {
        at(square, row + j).add(at(v, j).mul(scale).mul(vi)).intoArray(square, row + j);
      }
    }
  }

  private static DoubleVector blend(DoubleVector left, DoubleVector right, int diagonal) {
    return switch (diagonal) {
      case 0 -> left.blend(right, RIGHT_OF_0);
      case 1 -> left.blend(right, RIGHT_OF_1);
      case 2 -> left.blend(right, RIGHT_OF_2);
      default -> left;
    };
  }
}
