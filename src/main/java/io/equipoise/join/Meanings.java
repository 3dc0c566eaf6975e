package io.equipoise.join;

import io.equipoise.bandit.LevelMap;
import io.equipoise.bandit.features.Profile;
import io.equipoise.spec.Arm;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What arm ids and level indices of earlier specs mean under the spec adopted, as far as the
 * running model was under them. Reads state only where something is of an earlier spec.
 */
final class Meanings {
  private final Turn turn;

  Meanings(Turn turn) {
    this.turn = turn;
  }

  /** Says whether the running model has made a decision, so that it may learn of it. */
  boolean isOfModel(Entry.Awaiting decision) {
    return decision.levelVersion() == turn.head.levelVersion || translation(decision) != null;
  }

  /**
   * Returns a decision with today's indices of levels; itself where they are, or where the running
   * model has not made it.
   */
  Entry.Awaiting translated(Entry.Awaiting decision) {
    LevelMap levels =
        decision.levelVersion() == turn.head.levelVersion ? null : translation(decision);
    return levels == null ? decision : decision.translated(levels, turn.head.levelVersion);
  }

  private @Nullable LevelMap translation(Entry.Awaiting decision) {
    Heritage heritage = heritage();
    return heritage == null ? null : heritage.translation(decision.levelVersion());
  }

  /** Returns what an arm sets that the spec has or had, or null. */
  @Nullable Profile profile(String arm) {
    SegmentSpec spec = turn.requireSpec().spec();
    int index = spec.arms().indexOf(arm);
    if (index >= 0) {
      return Profile.ofArm(spec.arms().get(index));
    }
    Heritage heritage = heritage();
    List<String> names = heritage == null ? null : heritage.retired(arm);
    return names == null ? null : profile(names, spec.variables().actions());
  }

  private static @Nullable Profile profile(List<String> names, List<SpecVariable> actions) {
    int[] levels = new int[actions.size()];
    double[] numbers = new double[(int) actions.stream().filter(SpecVariable::isNumeric).count()];
    int number = 0;
    for (int action = 0; action < levels.length; action++) {
      SpecVariable variable = actions.get(action);
      if (variable.isNumeric()) {
        numbers[number] = Double.parseDouble(names.get(action));
        levels[action] = variable.binOf(numbers[number++]);
      } else {
        levels[action] = variable.indexOf(names.get(action));
      }
      if (levels[action] < 0) {
        return null;
      }
    }
    return new Profile(levels, numbers);
  }

  /** Returns the names of the levels that an arm of a spec sets, and its numbers in full. */
  static List<String> names(Arm arm, List<SpecVariable> actions) {
    List<String> names = new ArrayList<>(actions.size());
    double[] numbers = arm.numbers();
    int number = 0;
    for (int action = 0; action < actions.size(); action++) {
      SpecVariable variable = actions.get(action);
      names.add(
          variable.isNumeric()
              ? Double.toString(numbers[number++])
              : variable.levels().get(arm.level(action)));
    }
    return names;
  }

  /** Returns what every arm of a spec sets, by its id: names of action variables and of levels. */
  static Map<String, Map<String, String>> specArms(SegmentSpec spec) {
    List<SpecVariable> actions = spec.variables().actions();
    Map<String, Map<String, String>> arms = new TreeMap<>();
    for (Arm arm : spec.arms().list()) {
      List<String> names = names(arm, actions);
      Map<String, String> sets = new TreeMap<>();
      for (int action = 0; action < names.size(); action++) {
        sets.put(actions.get(action).name(), names.get(action));
      }
      arms.put(arm.id(), sets);
    }
    return arms;
  }

  private @Nullable Heritage heritage() {
    return (Heritage) turn.state.blocks().get(Heritage.KEY);
  }
}
