package io.equipoise.policy.linear;

import io.equipoise.policy.features.Entries;
import io.equipoise.policy.kernel.Kernels;
import io.equipoise.policy.linear.Candidates.FeatureMask;

/**
 * Holds the features of one candidate and, where few are not zero, the places of those. Mutable
 * scratch: {@link #set} checks and takes new values and allocates nothing.
 */
public final class FeatureVector {

  private final int dimension;
  private final double[] values;

  /** The places of the values that are not zero, ascending, then leftovers. */
  final int[] indices;

  /** The values that are not zero, then leftovers. */
  final double[] nonzero;

  private int nonzeros;
  private boolean isSparse;
  private double squaredNorm;
  private double norm;

  /** Starts as the zero vector. */
  public FeatureVector(int dimension) {
    this.dimension = dimension;
    values = new double[Kernels.padded(dimension)];
    indices = new int[dimension / 3 + 1];
    nonzero = new double[dimension / 3 + 1];
    isSparse = true;
  }

  /** Returns a vector with these values, which must be finite; a refusal does not tell them. */
  public static FeatureVector of(double... values) {
    FeatureVector vector = new FeatureVector(values.length);
    InputCheck inputCheck = vector.set(values);
    if (inputCheck != InputCheck.ADMITTED) {
      throw new IllegalArgumentException(inputCheck.meaning());
    }
    return vector;
  }

  /**
   * Takes a copy of these values; refuses, and changes nothing, unless all can be computed with.
   */
  public InputCheck set(double[] given) {
    if (given.length != dimension) {
      return InputCheck.WRONG_DIMENSION;
    }
    double squares = Kernels.dot(given, 0, given, dimension);
    if (!Double.isFinite(squares)) {
      return fault(given);
    }
    System.arraycopy(given, 0, values, 0, dimension);
    index(squares);
    return InputCheck.ADMITTED;
  }

  /** Takes a copy of these values in the same way, and 0 in all other places. */
  InputCheck set(Entries given) {
    int count = given.count();
    double squares = 0;
    for (int k = 0; k < count; k++) {
      squares += given.value(k) * given.value(k);
    }
    if (!Double.isFinite(squares)) {
      double[] all = new double[dimension];
      given.copyTo(all);
      return fault(all);
    }
    given.copyTo(values);
    if (count > dimension / 3) {
      index(Kernels.dot(values, 0, values, dimension));
      return InputCheck.ADMITTED;
    }
    for (int k = 0; k < count; k++) {
      indices[k] = given.place(k);
      nonzero[k] = given.value(k);
    }
    nonzeros = count;
    isSparse = true;
    squaredNorm = squares;
    norm = Math.sqrt(squares);
    return InputCheck.ADMITTED;
  }

  private static InputCheck fault(double[] given) {
    for (double value : given) {
      if (!Double.isFinite(value)) {
        return InputCheck.NOT_FINITE;
      }
    }
    return InputCheck.TOO_LARGE;
  }

  /** Takes to - from, of the same dimension, and sums of squares that are finite. */
  void setDifference(FeatureVector to, FeatureVector from) {
    for (int i = 0; i < dimension; i++) {
      values[i] = to.values[i] - from.values[i];
    }
    index(Kernels.dot(values, 0, values, dimension));
  }

  /** Sets the features that a mask drops to zero. */
  void drop(FeatureMask mask) {
    for (int i = 0; i < dimension; i++) {
      values[i] = mask.isDropped(i) ? 0 : values[i];
    }
    index(Kernels.dot(values, 0, values, dimension));
  }

  /**
   * Notes the places that are not zero, until there are too many for it to matter. Every value is
   * written, and the next one over it if it was zero: no branch to mispredict.
   */
  private void index(double squares) {
    int most = dimension / 3;
    int count = 0;
    for (int i = 0; i < dimension && count <= most; i++) {
      double value = values[i];
      indices[count] = i;
      nonzero[count] = value;
      count += value != 0 ? 1 : 0;
    }
    nonzeros = count;
    isSparse = count <= most;
    squaredNorm = isSparse ? sparseSquares() : squares;
    norm = Math.sqrt(squaredNorm);
  }

  private double sparseSquares() {
    double sum = 0;
    for (int k = 0; k < nonzeros; k++) {
      sum += nonzero[k] * nonzero[k];
    }
    return sum;
  }

  public int dimension() {
    return dimension;
  }

  /** Returns the values, padded by zeros; owned by this vector, not to be changed. */
  public double[] values() {
    return values;
  }

  public double value(int feature) {
    return values[feature];
  }

  /** Returns how many values are not zero, if this {@link #isSparse}. */
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

  double norm() {
    return norm;
  }

  /**
   * Returns whether the kernels over nonzero features are used: where at most a third are nonzero.
   */
  boolean isSparse() {
    return isSparse;
  }
}
