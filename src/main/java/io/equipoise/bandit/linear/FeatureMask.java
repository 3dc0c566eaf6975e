package io.equipoise.bandit.linear;

import java.util.BitSet;
import java.util.List;

/**
 * Features that a policy must not see: the Naive baseline of Fair-LinUCB, section 5.2.2, which
 * drops the sensitive attribute and what is correlated with it. What is dropped counts as zero, so
 * the dimension stays. Immutable.
 */
public final class FeatureMask {
  private final int dimension;
  private final BitSet dropped;

  private FeatureMask(int dimension, BitSet dropped) {
    this.dimension = dimension;
    this.dropped = dropped;
  }

  /** Drops these features. */
  public static FeatureMask dropping(int dimension, List<Integer> features) {
    BitSet dropped = new BitSet(dimension);
    for (int feature : features) {
      if (feature < 0 || feature >= dimension) {
        throw new IllegalArgumentException("feature " + feature + " of " + dimension);
      }
      dropped.set(feature);
    }
    return new FeatureMask(dimension, dropped);
  }

  /**
   * Drops the sensitive feature and every one of the first {@code candidates} features whose
   * correlation with it over a sample is greater than a threshold in size. A feature that does not
   * vary is kept.
   *
   * @param rows the sample, one row of features each
   */
  public static FeatureMask correlated(
      List<double[]> rows, int sensitive, int candidates, double threshold) {
    int dimension = rows.get(0).length;
    BitSet dropped = new BitSet(dimension);
    dropped.set(sensitive);
    for (int feature = 0; feature < candidates; feature++) {
      if (Math.abs(correlation(rows, sensitive, feature)) > threshold) {
        dropped.set(feature);
      }
    }
    return new FeatureMask(dimension, dropped);
  }

  /** Pearson's correlation; 0 where one of the two does not vary. */
  static double correlation(List<double[]> rows, int one, int other) {
    double meanOne = 0;
    double meanOther = 0;
    for (double[] row : rows) {
      meanOne += row[one] / rows.size();
      meanOther += row[other] / rows.size();
    }
    double product = 0;
    double squaresOne = 0;
    double squaresOther = 0;
    for (double[] row : rows) {
      product += (row[one] - meanOne) * (row[other] - meanOther);
      squaresOne += (row[one] - meanOne) * (row[one] - meanOne);
      squaresOther += (row[other] - meanOther) * (row[other] - meanOther);
    }
    double spread = Math.sqrt(squaresOne * squaresOther);
    return spread > 1e-12 ? product / spread : 0;
  }

  public int dimension() {
    return dimension;
  }

  /** Says whether a feature is dropped. */
  public boolean isDropped(int feature) {
    return dropped.get(feature);
  }

  /** Returns the dropped features in ascending order. */
  public List<Integer> dropped() {
    return dropped.stream().boxed().toList();
  }
}
