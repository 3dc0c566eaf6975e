package io.equipoise.segmentspec;

/** Holds a closed interval of finite numbers, {@code low < high}. */
public record NumberRange(double low, double high) {
  /** Refuses an interval that is empty, a point, or not finite. */
  public NumberRange {
    if (!Double.isFinite(low) || !Double.isFinite(high) || low >= high) {
      throw new IllegalArgumentException("range [" + low + ", " + high + "] is not low < high");
    }
  }

  /** Returns whether the interval, its ends included, contains the value; false for NaN. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }

  /** Returns {@code high - low}. */
  public double width() {
    return high - low;
  }
}
