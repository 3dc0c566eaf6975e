package io.equipoise.bandit.linear;

import java.util.Arrays;

/**
 * Holds the features of one candidate, with the places of those that are not zero. Mutable scratch:
 * {@link #set} checks and takes new values and allocates nothing.
 */
public final class FeatureVector {
  private final double[] values;
  private final int[] indices;
  private final double[] nonzero;
  private int nonzeros;
  private boolean isSparse;
  private double squaredNorm;

  /** Starts as the zero vector. */
  public FeatureVector(int dimension) {
    values = new double[dimension];
    indices = new int[dimension];
    nonzero = new double[dimension];
    isSparse = true;
  }

  /** Returns a vector with these values, which must be finite. */
  public static FeatureVector of(double... values) {
    FeatureVector vector = new FeatureVector(values.length);
    Admission admission = vector.set(values);
    if (admission != Admission.ADMITTED) {
      throw new IllegalArgumentException(admission + ": " + Arrays.toString(values));
    }
    return vector;
  }

  /**
   * Takes a copy of these values; refuses, and changes nothing, unless all can be computed with.
   */
  public Admission set(double[] given) {
    Admission admission = check(given);
    if (admission == Admission.ADMITTED) {
      System.arraycopy(given, 0, values, 0, values.length);
      index();
    }
    return admission;
  }

  private Admission check(double[] given) {
    if (given.length != values.length) {
      return Admission.WRONG_DIMENSION;
    }
    double squares = 0;
    for (double value : given) {
      squares += value * value;
    }
    return Double.isFinite(squares) ? Admission.ADMITTED : fault(given);
  }

  private static Admission fault(double[] given) {
    for (double value : given) {
      if (!Double.isFinite(value)) {
        return Admission.NOT_FINITE;
      }
    }
    return Admission.TOO_LARGE;
  }

  /** Takes to - from, of the same dimension, and sums of squares that are finite. */
  void setDifference(FeatureVector to, FeatureVector from) {
    for (int i = 0; i < values.length; i++) {
      values[i] = to.values[i] - from.values[i];
    }
    index();
  }

  /** Sets the features that a mask drops to zero. */
  void drop(FeatureMask mask) {
    for (int i = 0; i < values.length; i++) {
      values[i] = mask.isDropped(i) ? 0 : values[i];
    }
    index();
  }

  private void index() {
    nonzeros = 0;
    squaredNorm = 0;
    for (int i = 0; i < values.length; i++) {
      double value = values[i];
      if (value != 0) {
        indices[nonzeros] = i;
        nonzero[nonzeros++] = value;
        squaredNorm += value * value;
      }
    }
    isSparse = 3 * nonzeros <= values.length;
  }

  public int dimension() {
    return values.length;
  }

  /** Returns the values; owned by this vector, not to be changed. */
  double[] values() {
    return values;
  }

  public double value(int feature) {
    return values[feature];
  }

  int nonzeros() {
    return nonzeros;
  }

  int index(int k) {
    return indices[k];
  }

  double nonzero(int k) {
    return nonzero[k];
  }

  double squaredNorm() {
    return squaredNorm;
  }

  /** Says which kernels are used: those over nonzero features where at most a third are nonzero. */
  boolean isSparse() {
    return isSparse;
  }
}
