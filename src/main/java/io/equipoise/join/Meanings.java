package io.equipoise.join;

import io.equipoise.bandit.LevelMap;
import io.equipoise.spec.Arm;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
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
    return decision.epoch() == turn.head.epoch || translation(decision) != null;
  }

  /**
   * Returns a decision with today's indices of levels; itself where they are, or where the running
   * model has not made it.
   */
  Entry.Awaiting translated(Entry.Awaiting decision) {
    LevelMap levels = decision.epoch() == turn.head.epoch ? null : translation(decision);
    return levels == null ? decision : decision.translated(levels, turn.head.epoch);
  }

  private @Nullable LevelMap translation(Entry.Awaiting decision) {
    Heritage heritage = heritage();
    return heritage == null ? null : heritage.translation(decision.epoch());
  }

  /** Returns the levels of an arm that the spec has or had, or null. */
  int @Nullable [] levels(String arm) {
    SegmentSpec spec = turn.requireSpec().spec();
    int index = spec.arms().indexOf(arm);
    if (index >= 0) {
      return spec.arms().get(index).levels();
    }
    Heritage heritage = heritage();
    List<String> names = heritage == null ? null : heritage.retired(arm);
    return names == null ? null : indices(names, spec.variables().actions());
  }

  private static int @Nullable [] indices(List<String> names, List<SpecVariable> actions) {
    int[] levels = new int[actions.size()];
    for (int action = 0; action < levels.length; action++) {
      levels[action] = actions.get(action).indexOf(names.get(action));
      if (levels[action] < 0) {
        return null;
      }
    }
    return levels;
  }

  /** Returns the names of the levels that an arm of a spec sets. */
  static List<String> names(Arm arm, List<SpecVariable> actions) {
    List<String> names = new ArrayList<>(actions.size());
    for (int action = 0; action < actions.size(); action++) {
      names.add(actions.get(action).levels().get(arm.level(action)));
    }
    return names;
  }

  private @Nullable Heritage heritage() {
    return (Heritage) turn.state.blocks().get(Heritage.KEY);
  }
}
