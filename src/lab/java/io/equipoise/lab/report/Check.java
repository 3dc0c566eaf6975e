package io.equipoise.lab.report;

/**
 * Compares a value with its bounds, both inclusive and finite. A one-sided check has a value that
 * cannot be exceeded as its other bound.
 *
 * @param ok whether the value is within the bounds
 */
public record Check(String name, double value, double low, double high, boolean ok) {

  public Check {
    if (!Double.isFinite(low) || !Double.isFinite(high)) {
      throw new IllegalArgumentException(
          name + " has the bounds " + low + " and " + high + "; both must be finite");
    }
  }

  /** Compares a value with its bounds. */
  public static Check of(String name, double value, double low, double high) {
    return new Check(name, value, low, high, value >= low && value <= high);
  }

  /** Names a check that does not apply to the settings that were run. */
  public record Skipped(String name, String why) {}
}
