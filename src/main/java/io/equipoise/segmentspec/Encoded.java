package io.equipoise.segmentspec;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds the encoded variables of a person, an arm or a reward, or the faults that prevent encoding.
 *
 * @param levels a level index for every variable
 * @param numbers the value of every numeric variable, in their order
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, equal by content
public record Encoded(int[] levels, double[] numbers, List<AttributeFault> faults) {
  /** Copies all; levels and numbers are dropped if there are faults. */
  public Encoded {
    levels = faults.isEmpty() ? levels.clone() : new int[0];
    numbers = faults.isEmpty() ? numbers.clone() : new double[0];
    faults = List.copyOf(faults);
  }

  /** Returns whether there are levels, because there is no fault. */
  public boolean isValid() {
    return faults.isEmpty();
  }

  /** Returns a copy of the level indices; empty if there are faults. */
  @Override
  public int[] levels() {
    return levels.clone();
  }

  /** Returns a copy of the numbers; empty if there are faults. */
  @Override
  public double[] numbers() {
    return numbers.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Encoded that
        && Arrays.equals(levels, that.levels)
        && Arrays.equals(numbers, that.numbers)
        && faults.equals(that.faults);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(levels), Arrays.hashCode(numbers), faults);
  }

  @Override
  public String toString() {
    return isValid() ? levels.length + " levels" : faults.toString();
  }
}
