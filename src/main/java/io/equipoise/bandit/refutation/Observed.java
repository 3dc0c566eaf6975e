package io.equipoise.bandit.refutation;

import io.equipoise.bandit.Experience;
import io.equipoise.spec.Role;
import io.equipoise.spec.SpecVariable;
import io.equipoise.spec.Variables;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A variable whose level comes with every complete reward.
 *
 * @param place of the variable among the features, the actions or the mediators
 */
record Observed(SpecVariable variable, int place) {
  /** Finds a variable; null where the spec has none of this name, or it is the reward. */
  static @Nullable Observed named(String name, Variables variables) {
    for (List<SpecVariable> some :
        List.of(variables.features(), variables.actions(), variables.mediators())) {
      for (int place = 0; place < some.size(); place++) {
        if (some.get(place).name().equals(name)) {
          return new Observed(some.get(place), place);
        }
      }
    }
    return null;
  }

  String name() {
    return variable.name();
  }

  int levels() {
    return variable.disclosedLevels();
  }

  /** Returns the level, or -1 where it is not known. */
  int of(Experience experience) {
    int[] levels =
        variable.role().isFeature()
            ? experience.person()
            : variable.role() == Role.ACTION ? experience.levels() : experience.mediators();
    int level = place < levels.length ? levels[place] : -1;
    return level < levels() ? level : -1;
  }
}
