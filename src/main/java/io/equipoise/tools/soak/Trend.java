package io.equipoise.tools.soak;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The trend of a quantity over the measured phase: medians of its thirds, and the Theil-Sen slope,
 * the median of all pairwise slopes, which is robust to outliers.
 *
 * @param start median of the first third
 * @param middle median of the second third
 * @param end median of the last third
 * @param perSecond slope per second
 * @param growth slope times the phase's length
 * @param allowance growth that still counts as flat
 */
record Trend(
    Quantity quantity,
    double start,
    double middle,
    double end,
    double perSecond,
    double growth,
    double allowance) {
  /** The minimum number of samples for a trend. */
  static final int FEWEST = 9;

  /**
   * Computes a trend.
   *
   * @throws IllegalArgumentException if there are fewer samples than {@link #FEWEST}
   */
  static Trend of(Quantity quantity, List<ResourceSample> samples) {
    int count = samples.size();
    if (count < FEWEST) {
      throw new IllegalArgumentException(count + " samples; at least " + FEWEST + " are required");
    }
    double slope = slope(quantity, samples);
    ResourceSample first = samples.get(0);
    ResourceSample last = samples.get(count - 1);
    return new Trend(
        quantity,
        median(quantity, samples.subList(0, count / 3)),
        median(quantity, samples.subList(count / 3, count - count / 3)),
        median(quantity, samples.subList(count - count / 3, count)),
        slope,
        slope * (last.seconds() - first.seconds()),
        quantity.allowance(median(quantity, samples), last.segments() - first.segments()));
  }

  /** Returns whether it grows no more than allowed. */
  boolean isFlat() {
    return growth <= allowance;
  }

  private static double slope(Quantity quantity, List<ResourceSample> samples) {
    List<Double> slopes = new ArrayList<>();
    for (int later = 1; later < samples.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        ResourceSample one = samples.get(earlier);
        ResourceSample two = samples.get(later);
        slopes.add((quantity.of(two) - quantity.of(one)) / (two.seconds() - one.seconds()));
      }
    }
    return median(slopes.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static double median(Quantity quantity, List<ResourceSample> samples) {
    return median(samples.stream().mapToDouble(quantity::of).toArray());
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
