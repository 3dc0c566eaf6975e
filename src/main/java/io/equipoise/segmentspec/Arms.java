package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.List;

/** Lists the arms of a spec. An arm's index is its place in the list. */
public record Arms(List<Arm> list) {
  /** Copies the list. */
  public Arms {
    list = List.copyOf(list);
  }

  /**
   * Returns every combination of the action variables' levels. The first variable is the slowest:
   * with 3, 4 and 3 levels the arm (a, b, c) has the index (4 a + b) 3 + c.
   */
  public static Arms all(List<SpecVariable> actions) {
    List<Arm> arms = new ArrayList<>();
    int[] levels = new int[actions.size()];
    do {
      arms.add(new Arm(idOf(actions, levels), levels));
    } while (next(actions, levels));
    return new Arms(arms);
  }

  /** Returns the number of arms. */
  public int size() {
    return list.size();
  }

  /** Returns the arm of an index. */
  public Arm get(int index) {
    return list.get(index);
  }

  /** Returns the index of an arm, or -1. Costs O(arms); {@link ContextEncoder} has a dictionary. */
  public int indexOf(String id) {
    for (int index = 0; index < list.size(); index++) {
      if (list.get(index).id().equals(id)) {
        return index;
      }
    }
    return -1;
  }

  /** Returns the id of a combination that the spec does not name itself. */
  static String idOf(List<SpecVariable> actions, int[] levels, double... numbers) {
    StringBuilder id = new StringBuilder();
    int number = 0;
    for (int action = 0; action < levels.length; action++) {
      SpecVariable variable = actions.get(action);
      id.append(action == 0 ? "" : ",").append(variable.name());
      id.append('=');
      if (variable.isNumeric()) {
        id.append(Levels.shown(numbers[number++]));
      } else {
        id.append(variable.levels().get(levels[action]));
      }
    }
    return id.toString();
  }

  /** Counts up, the last action fastest; returns false after the last combination. */
  private static boolean next(List<SpecVariable> actions, int[] levels) {
    for (int action = levels.length - 1; action >= 0; action--) {
      levels[action]++;
      if (levels[action] < actions.get(action).levels().size()) {
        return true;
      }
      levels[action] = 0;
    }
    return false;
  }
}
