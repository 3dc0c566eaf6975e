package io.equipoise.policy.refutation;

import io.equipoise.policy.Experience;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.Arms;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.Variables;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the level of a variable that comes with a reward.
 *
 * @param names of its levels, without that of people who do not disclose it
 * @param reader returns the level, or a number that is none where it is not known
 */
record Observed(String name, List<String> names, ToIntFunction<Experience> reader) {
  Observed {
    names = List.copyOf(names);
  }

  /** Finds a variable; null where the spec has none of this name, or it is the reward. */
  static @Nullable Observed named(String name, Variables variables) {
    for (List<SpecVariable> some :
        List.of(variables.features(), variables.actions(), variables.mediators())) {
      for (int place = 0; place < some.size(); place++) {
        if (some.get(place).name().equals(name)) {
          return of(some.get(place), place);
        }
      }
    }
    return null;
  }

  private static Observed of(SpecVariable variable, int place) {
    VariableRole variableRole = variable.role();
    return new Observed(
        variable.name(),
        variable.levels().subList(0, variable.disclosedLevels()),
        experience -> {
          int[] levels =
              variableRole.isFeature()
                  ? experience.person()
                  : variableRole == VariableRole.ACTION
                      ? experience.levels()
                      : experience.mediators();
          return place < levels.length ? levels[place] : -1;
        });
  }

  /** Returns the same with all levels but some as one. */
  Observed merged(List<String> kept) {
    List<String> merged = new ArrayList<>(kept);
    List<String> others = names.stream().filter(level -> !kept.contains(level)).toList();
    merged.add(String.join(" or ", others));
    int[] places = names.stream().mapToInt(merged::indexOf).toArray();
    return new Observed(
        name,
        merged,
        experience -> {
          int level = of(experience);
          return level < 0 ? -1 : places[level] < 0 ? kept.size() : places[level];
        });
  }

  /** Returns the arm as a variable, for models that know arms by their place in the catalog. */
  static Observed arm(Arms arms) {
    return new Observed("arm", arms.list().stream().map(Arm::id).toList(), Experience::arm);
  }

  int levels() {
    return names.size();
  }

  /** Returns the level, or -1 where it is not known. */
  int of(Experience experience) {
    int level = reader.applyAsInt(experience);
    return level < levels() ? level : -1;
  }
}
