package io.equipoise.lab.report;

import io.equipoise.lab.report.Check.Skipped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects the checks of a replication, and those that do not apply to its settings. */
public final class Checks {
  private final List<Check> all = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();

  public List<Check> all() {
    return all;
  }

  public List<Skipped> skipped() {
    return skipped;
  }

  /** Adds a value with its bounds, both inclusive. */
  public void add(String name, double value, double low, double high) {
    all.add(Check.of(name, value, low, high));
  }

  /** Adds a value that may differ from a reference by a distance. */
  public void near(String name, double value, double reference, double distance) {
    add(name, value, reference - distance, reference + distance);
  }

  /** Adds a check that does not apply, with the reason. */
  public void skip(String name, String why) {
    skipped.add(new Skipped(name, why));
  }

  /**
   * Returns whether a reference gap exceeds four standard errors of the trials; skips the check if
   * not.
   *
   * @param error the standard error of the gap over this many trials
   * @param decimals of the gap in the reason
   */
  public boolean isWide(String name, double gap, double error, int trials, int decimals) {
    if (gap > 4 * error) {
      return true;
    }
    String format = "%." + decimals + "f";
    skip(
        name,
        String.format(
            Locale.ROOT,
            "the expected gap, "
                + format
                + ", is within four standard errors of %d trials, "
                + format,
            gap,
            trials,
            4 * error));
    return false;
  }
}
