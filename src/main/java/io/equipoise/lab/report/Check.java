package io.equipoise.lab.report;

import org.jspecify.annotations.Nullable;

/**
 * A value held against bounds, both inclusive; a bound that is null does not bind.
 *
 * @param ok whether the value is within them
 */
public record Check(
    String name, double value, @Nullable Double low, @Nullable Double high, boolean ok) {

  /** Holds a value against bounds. */
  public static Check of(String name, double value, @Nullable Double low, @Nullable Double high) {
    boolean isHighEnough = low == null || value >= low;
    boolean isLowEnough = high == null || value <= high;
    return new Check(name, value, low, high, isHighEnough && isLowEnough);
  }

  /** A check that does not apply to what was run. */
  public record Skipped(String name, String why) {}
}
