package io.equipoise.spec;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Level indices, or the faults for which there are none. */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, equal by content
public record Encoded(int[] levels, List<AttributeFault> faults) {
  /** Copies both; the levels count only where there are no faults. */
  public Encoded {
    levels = faults.isEmpty() ? levels.clone() : new int[0];
    faults = List.copyOf(faults);
  }

  /** Says whether there are levels. */
  public boolean isValid() {
    return faults.isEmpty();
  }

  /** Returns a copy of the level indices; empty if there are faults. */
  @Override
  public int[] levels() {
    return levels.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Encoded that
        && Arrays.equals(levels, that.levels)
        && faults.equals(that.faults);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(levels), faults);
  }

  @Override
  public String toString() {
    return isValid() ? levels.length + " levels" : faults.toString();
  }
}
