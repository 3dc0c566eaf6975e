package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Reports the numbers that a policy computed for the arm that it chose. {@code avro/Decision.avsc}
 * documents the meaning and unit of every component.
 */
public record ArmEstimate(@Nullable Double index, @Nullable Double mean, @Nullable Double width) {
  /** Returns the estimate, or null if nothing is known. */
  public static @Nullable ArmEstimate of(
      @Nullable Double index, @Nullable Double mean, @Nullable Double width) {
    return index == null && mean == null && width == null
        ? null
        : new ArmEstimate(index, mean, width);
  }
}
