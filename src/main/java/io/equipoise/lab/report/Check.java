package io.equipoise.lab.report;

/**
 * A value held against bounds, both inclusive. Where only one side is asked for, the other bound is
 * what the value cannot pass.
 *
 * @param ok whether the value is within them
 */
public record Check(String name, double value, double low, double high, boolean ok) {

  public Check {
    if (!Double.isFinite(low) || !Double.isFinite(high)) {
      throw new IllegalArgumentException(
          name + " has the bounds " + low + " and " + high + "; both must be finite");
    }
  }

  /** Holds a value against bounds. */
  public static Check of(String name, double value, double low, double high) {
    return new Check(name, value, low, high, value >= low && value <= high);
  }

  /** A check that does not apply to what was run. */
  public record Skipped(String name, String why) {}
}
