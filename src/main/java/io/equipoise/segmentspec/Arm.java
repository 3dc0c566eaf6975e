package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Defines one arm of the catalog by the levels and numbers that it sets.
 *
 * @param id stable: the given one, or {@code "A1=product-A,A2=promotional"} for combinations
 * @param levels the level index of every action variable, in the order of {@link
 *     Variables#actions()}; of a numeric one its bin
 * @param numbers the value of every numeric action variable, in their order
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, equal by content
public record Arm(String id, int[] levels, double[] numbers) {
  private static final double[] NONE = {};

  /** Copies levels and numbers. */
  public Arm {
    levels = levels.clone();
    numbers = numbers.clone();
  }

  /** Creates an arm without numeric variables. */
  public Arm(String id, int[] levels) {
    this(id, levels, NONE);
  }

  /** Returns a copy. */
  @Override
  public int[] levels() {
    return levels.clone();
  }

  /** Returns a copy. */
  @Override
  public double[] numbers() {
    return numbers.clone();
  }

  /** Returns the names of the levels that it sets, and its numbers in full; may be changed. */
  public List<String> names(List<SpecVariable> actions) {
    List<String> names = new ArrayList<>(actions.size());
    int number = 0;
    for (int action = 0; action < levels.length; action++) {
      SpecVariable variable = actions.get(action);
      names.add(
          variable.isNumeric()
              ? Double.toString(numbers[number++])
              : variable.levels().get(levels[action]));
    }
    return names;
  }

  /** Returns the level index of one action variable without copying. */
  public int level(int action) {
    return levels[action];
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Arm that
        && id.equals(that.id)
        && Arrays.equals(levels, that.levels)
        && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * id.hashCode() + Arrays.hashCode(levels)) + Arrays.hashCode(numbers);
  }

  @Override
  public String toString() {
    return id + Arrays.toString(levels) + (numbers.length == 0 ? "" : Arrays.toString(numbers));
  }
}
