package io.equipoise.segment.upgrade;

import io.equipoise.policy.LevelMap;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.state.Entry;
import io.equipoise.segment.state.RetiredDefinitions;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Translates arm ids and level indices of earlier specs into those of the adopted spec, if the
 * running model has learned under them. Reads the model's state only for an id or index of an
 * earlier spec.
 */
public record SpecTranslation(SegmentContext segmentContext) {
  /** Returns whether the running model made a decision, so that it can learn from it. */
  public boolean isOfModel(Entry.PendingDecision decision) {
    return decision.levelVersion() == segmentContext.head.levelVersion
        || translation(decision) != null;
  }

  /**
   * Returns a decision with the current indices of levels; the same object if they are current or
   * the running model did not make it.
   */
  public Entry.PendingDecision translated(Entry.PendingDecision decision) {
    LevelMap levels =
        decision.levelVersion() == segmentContext.head.levelVersion ? null : translation(decision);
    if (levels == null) {
      return decision;
    }
    double[] inputs = segmentContext.requireSpec().policy().translated(decision.inputs(), levels);
    return decision.translated(levels, inputs, segmentContext.head.levelVersion);
  }

  private @Nullable LevelMap translation(Entry.PendingDecision decision) {
    RetiredDefinitions retiredDefinitions = retiredDefinitions();
    return retiredDefinitions == null
        ? null
        : retiredDefinitions.translation(decision.levelVersion());
  }

  /** Returns the levels and numbers that an arm of this or an earlier spec sets, or null. */
  @Nullable
  public Profile profile(String arm) {
    SegmentSpec spec = segmentContext.requireSpec().spec();
    int index = spec.arms().indexOf(arm);
    if (index >= 0) {
      return Profile.ofArm(spec.arms().get(index));
    }
    RetiredDefinitions retiredDefinitions = retiredDefinitions();
    List<String> names = retiredDefinitions == null ? null : retiredDefinitions.retired(arm);
    return names == null ? null : profile(names, spec.variables().actions());
  }

  /**
   * Returns the profile of an arm with these level names; null if the spec no longer has one of
   * them.
   */
  static @Nullable Profile profile(List<String> names, List<SpecVariable> actions) {
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

  /** Returns the settings of every arm of a spec by its id: level names by action variable. */
  public static Map<String, Map<String, String>> specArms(SegmentSpec spec) {
    List<SpecVariable> actions = spec.variables().actions();
    Map<String, Map<String, String>> arms = new TreeMap<>();
    for (Arm arm : spec.arms().list()) {
      List<String> names = arm.names(actions);
      Map<String, String> sets = new TreeMap<>();
      for (int action = 0; action < names.size(); action++) {
        sets.put(actions.get(action).name(), names.get(action));
      }
      arms.put(arm.id(), sets);
    }
    return arms;
  }

  private @Nullable RetiredDefinitions retiredDefinitions() {
    return (RetiredDefinitions) segmentContext.state.blocks().get(RetiredDefinitions.KEY);
  }
}
