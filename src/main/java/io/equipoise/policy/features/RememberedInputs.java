package io.equipoise.policy.features;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Holds the numbers that a decision is remembered with, so that person and arm can be encoded again
 * when the reward comes: the person's numeric variables, the arm's level indices, the arm's numeric
 * variables. Immutable.
 */
public final class RememberedInputs {
  private final int people;
  private final int actions;
  private final List<Profile> catalog;

  /** Reads the variables and arms of a spec. */
  public RememberedInputs(SegmentSpec spec) {
    List<SpecVariable> features = spec.variables().features();
    people = (int) features.stream().filter(SpecVariable::isNumeric).count();
    actions = spec.variables().actions().size();
    catalog = spec.arms().list().stream().map(Profile::ofArm).toList();
  }

  /** Returns the arms of the spec, in their order. */
  public List<Profile> catalog() {
    return catalog;
  }

  /** Returns what to remember of a person and an arm. */
  public double[] of(Profile person, Profile arm) {
    return of(person.numbers(), arm);
  }

  /** Returns what would have been remembered, had that arm been shown. */
  public double[] withArm(double[] inputs, Profile arm) {
    return of(numbers(inputs), arm);
  }

  /** Returns the person's numeric variables. */
  public double[] numbers(double[] inputs) {
    return Arrays.copyOf(inputs, people);
  }

  /** Returns the person, whose level indices are remembered elsewhere. */
  public Profile person(int[] levels, double[] inputs) {
    return new Profile(levels, numbers(inputs));
  }

  public Profile arm(double[] inputs) {
    int[] levels = new int[actions];
    for (int action = 0; action < actions; action++) {
      levels[action] = (int) inputs[people + action];
    }
    return new Profile(levels, Arrays.copyOfRange(inputs, people + actions, inputs.length));
  }

  /**
   * Returns what would have been remembered under variables with other levels.
   *
   * @param ofArms where the levels of an action variable stand there, by its place; -1 where one is
   *     gone
   */
  public double[] translated(double[] inputs, IntFunction<int[]> ofArms) {
    double[] moved = inputs.clone();
    for (int action = 0; action < actions; action++) {
      int level = (int) inputs[people + action];
      moved[people + action] = level < 0 ? level : ofArms.apply(action)[level];
    }
    return moved;
  }

  private static double[] of(double[] numbers, Profile arm) {
    double[] inputs = new double[numbers.length + arm.levels().length + arm.numbers().length];
    System.arraycopy(numbers, 0, inputs, 0, numbers.length);
    for (int action = 0; action < arm.levels().length; action++) {
      inputs[numbers.length + action] = arm.levels()[action];
    }
    System.arraycopy(
        arm.numbers(), 0, inputs, numbers.length + arm.levels().length, arm.numbers().length);
    return inputs;
  }
}
