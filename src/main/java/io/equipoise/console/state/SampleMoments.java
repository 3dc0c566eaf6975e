package io.equipoise.console.state;

import org.jspecify.annotations.Nullable;

/** Sums values and their squares, and counts them. */
public record SampleMoments(long count, double sum, double squares) {
  /** The 0.975 quantile of the standard normal distribution. */
  public static final double Z95 = 1.959963984540054;

  /** Nothing. */
  public static final SampleMoments NONE = new SampleMoments(0, 0, 0);

  /** Returns these values and one more. */
  public SampleMoments plus(double value) {
    return new SampleMoments(count + 1, sum + value, squares + value * value);
  }

  /** Returns the mean, null if there is no value. */
  public @Nullable Double mean() {
    return count == 0 ? null : (Double) (sum / count);
  }

  /** Returns the standard deviation of a sample, null of fewer than two values. */
  public @Nullable Double deviation() {
    return count < 2
        ? null
        : (Double) Math.sqrt(Math.max(0, (squares - sum * sum / count) / (count - 1)));
  }

  /**
   * Returns the half width of the approximate 95 % interval of the mean, null of fewer than two
   * values.
   */
  public @Nullable Double halfWidth() {
    Double deviation = deviation();
    return deviation == null ? null : (Double) (Z95 * deviation / Math.sqrt((double) count));
  }
}
