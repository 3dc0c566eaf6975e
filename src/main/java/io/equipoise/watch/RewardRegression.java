package io.equipoise.watch;

import io.equipoise.policy.features.Profile;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts the mean reward of a person and an arm for the doubly robust estimate: a ridge
 * regression for each arm on the constant, an indicator of each level and each number. It learns
 * row by row, so a prediction depends on rows before only. It need not be right; it only makes
 * intervals narrower.
 */
public final class RewardRegression {
  private static final double RIDGE = 1;

  private final String hash;
  private final NumberRange range;
  private final List<SpecVariable> features;
  private final int dimension;
  private final double[][][] inverse;
  private final double[][] sums;

  /** Begins without a row, for the arms and variables of a spec. */
  public RewardRegression(SegmentSpec spec) {
    hash = spec.hash();
    range = spec.reward().range();
    features = spec.variables().features();
    int columns = 1;
    for (SpecVariable variable : features) {
      columns += variable.levels().size() + 1 + (variable.isNumeric() ? 1 : 0);
    }
    dimension = columns;
    inverse = new double[spec.arms().size()][][];
    sums = new double[spec.arms().size()][];
  }

  boolean isOf(SegmentSpec spec) {
    return hash.equals(spec.hash());
  }

  /** Returns the prediction, within the range of rewards; its middle before any row of the arm. */
  public double predict(double[] x, int arm) {
    double middle = range.low() + range.width() / 2;
    if (inverse[arm] == null) {
      return middle;
    }
    double prediction = middle;
    for (int i = 0; i < dimension; i++) {
      prediction += x[i] == 0 ? 0 : x[i] * dot(inverse[arm][i], sums[arm]);
    }
    return Math.max(range.low(), Math.min(range.high(), prediction));
  }

  public void learn(double[] x, int arm, double reward) {
    if (inverse[arm] == null) {
      inverse[arm] = new double[dimension][dimension];
      sums[arm] = new double[dimension];
      for (int i = 0; i < dimension; i++) {
        inverse[arm][i][i] = 1 / RIDGE;
      }
    }
    double centered = reward - range.low() - range.width() / 2;
    double[] y = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      y[i] = dot(inverse[arm][i], x);
      sums[arm][i] += centered * x[i];
    }
    double scale = 1 + dot(y, x);
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < dimension; j++) {
        inverse[arm][i][j] -= y[i] * y[j] / scale;
      }
    }
  }

  /** Returns the columns of a person; without numbers if the log lacks them. */
  public double[] columns(Profile person) {
    int[] levels = person.levels();
    double[] numbers = person.numbers();
    List<Double> x = new ArrayList<>(dimension);
    x.add(1.0);
    int number = 0;
    for (int place = 0; place < features.size(); place++) {
      SpecVariable variable = features.get(place);
      for (int level = 0; level <= variable.levels().size(); level++) {
        x.add(levels[place] == level ? 1.0 : 0.0);
      }
      NumberRange within = variable.range();
      if (variable.isNumeric() && within != null) {
        x.add(number < numbers.length ? (numbers[number] - within.low()) / within.width() : 0.0);
        number++;
      }
    }
    return x.stream().mapToDouble(it -> it).toArray();
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
