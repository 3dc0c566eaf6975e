package io.equipoise.policy.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Holds the features of all (context, arm), row = context * arms + arm, in coordinates of an
 * orthonormal basis of what they span, so that enough pulls make the Gram matrix invertible.
 * Immutable.
 */
public final class OamTable {
  /** Longer remainders are outside of a span. */
  static final double INDEPENDENT = 1e-9;

  private final int contexts;
  private final int arms;
  private final double[][] rows;
  private final List<double[]> basis;
  final int dimension;

  /**
   * Takes features by row.
   *
   * @param features of every row, all of one length and not all zero
   */
  public OamTable(int contexts, int arms, double[][] features) {
    if (features.length != contexts * arms || contexts < 1 || arms < 1) {
      throw new IllegalArgumentException(
          features.length + " rows for " + contexts + " contexts and " + arms + " arms");
    }
    this.contexts = contexts;
    this.arms = arms;
    basis = basis(List.of(), features);
    dimension = basis.size();
    if (dimension == 0) {
      throw new IllegalArgumentException("all features are zero");
    }
    rows = new double[features.length][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = coordinates(features[row]);
    }
  }

  /** Returns the coordinates of features: those of their part within the span of the rows. */
  double[] coordinates(double[] features) {
    return basis.stream().mapToDouble(axis -> dot(axis, features)).toArray();
  }

  double[] features(double[] coordinates) {
    double[] features = new double[basis.get(0).length];
    for (int axis = 0; axis < coordinates.length; axis++) {
      for (int i = 0; i < features.length; i++) {
        features[i] += coordinates[axis] * basis.get(axis)[i];
      }
    }
    return features;
  }

  /** Returns an orthonormal basis with so many more axes that it spans further vectors too. */
  static List<double[]> basis(List<double[]> orthonormal, double[][] features) {
    List<double[]> basis = new ArrayList<>(orthonormal);
    for (double[] x : features) {
      double[] rest = residual(basis, x);
      double norm = Math.sqrt(dot(rest, rest));
      if (norm > INDEPENDENT * Math.max(1, Math.sqrt(dot(x, x)))) {
        basis.add(Arrays.stream(rest).map(value -> value / norm).toArray());
      }
    }
    return basis;
  }

  /** Returns what is left of x outside of the span, by Gram and Schmidt, twice for accuracy. */
  private static double[] residual(List<double[]> basis, double[] x) {
    double[] rest = x.clone();
    for (int pass = 0; pass < 2; pass++) {
      for (double[] axis : basis) {
        double along = dot(axis, rest);
        for (int i = 0; i < rest.length; i++) {
          rest[i] -= along * axis[i];
        }
      }
    }
    return rest;
  }

  static double dot(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  public int contexts() {
    return contexts;
  }

  public int arms() {
    return arms;
  }

  /** Returns the number of rows. */
  public int size() {
    return rows.length;
  }

  int row(int context, int arm) {
    return context * arms + arm;
  }

  /** Returns the coordinates of a row; not to be changed. */
  double[] x(int row) {
    return rows[row];
  }

  /** Returns an orthonormal basis of what the rows that were pulled span. */
  List<double[]> span(long[] pulls) {
    List<double[]> pulled = new ArrayList<>();
    for (int row = 0; row < rows.length; row++) {
      if (pulls[row] > 0) {
        pulled.add(rows[row]);
      }
    }
    return basis(List.of(), pulled.toArray(new double[0][]));
  }

  /** Returns whether a row is outside of what an orthonormal basis spans. */
  static boolean enlarges(List<double[]> orthonormal, double[] x) {
    double[] rest = residual(orthonormal, x);
    return Math.sqrt(dot(rest, rest)) > INDEPENDENT;
  }

  boolean enlarges(List<double[]> orthonormal, int row) {
    return enlarges(orthonormal, rows[row]);
  }
}
