package io.equipoise.policy.features;

import io.equipoise.segmentspec.Arm;
import java.util.List;

/**
 * Holds what is known of a person, or of an arm, in the numbers that models compute with.
 *
 * @param levels a level index for every variable; for a numeric one its bin
 * @param numbers the value of every numeric variable, in their order; not to be written to
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record Profile(int[] levels, double[] numbers) {
  private static final double[] NONE = {};

  /** Returns a profile without numeric variables. */
  public static Profile of(int... levels) {
    return new Profile(levels, NONE);
  }

  /**
   * Returns a person or an arm as a decision logs it.
   *
   * @param features levels, then numbers; a log may lack the numbers
   */
  public static Profile ofLogged(List<Double> features, int levels) {
    return new Profile(
        features.subList(0, levels).stream().mapToInt(Double::intValue).toArray(),
        features.subList(levels, features.size()).stream().mapToDouble(it -> it).toArray());
  }

  /** Returns an arm of a spec. */
  public static Profile ofArm(Arm arm) {
    return new Profile(arm.levels(), arm.numbers());
  }

  /**
   * Returns the same with one variable at another level. Its number, if it is numeric, stays, so no
   * feature may show the number of a variable that is set to other levels.
   */
  public Profile with(int place, int level) {
    int[] other = levels.clone();
    other[place] = level;
    return new Profile(other, numbers);
  }
}
