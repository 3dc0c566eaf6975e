package io.equipoise.segment.replay;

import io.equipoise.policy.features.Profile;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates the features of decisions under one spec to another, by the names of levels. */
final class ProfileTranslation {
  private static final int UNKNOWN = -1;

  private final int sourceLevels;
  private final boolean needsNumbers;
  private final int[] places;
  private final int[][] levels;

  /** For each numeric variable of the other spec the place of its number. */
  private final int[] numbers;

  private ProfileTranslation(CompiledSpec from, CompiledSpec to) {
    List<SpecVariable> target = to.features();
    sourceLevels = from.features().size();
    needsNumbers = to.policy().takesCandidates();
    places = new int[target.size()];
    levels = new int[target.size()][];
    numbers = new int[(int) target.stream().filter(SpecVariable::isNumeric).count()];
    int number = 0;
    for (int place = 0; place < places.length; place++) {
      places[place] = placeOf(target.get(place), from.features());
      SpecVariable source = from.features().get(places[place]);
      levels[place] = levels(source, target.get(place));
      if (target.get(place).isNumeric()) {
        numbers[number++] =
            source.isNumeric()
                ? (int)
                    from.features().subList(0, places[place]).stream()
                        .filter(SpecVariable::isNumeric)
                        .count()
                : UNKNOWN;
      }
    }
  }

  /** Returns the translation, or null if the other spec has a variable that this one lacks. */
  static @Nullable ProfileTranslation of(CompiledSpec from, CompiledSpec to) {
    return to.features().stream().allMatch(it -> placeOf(it, from.features()) >= 0)
        ? new ProfileTranslation(from, to)
        : null;
  }

  private static int placeOf(SpecVariable variable, List<SpecVariable> among) {
    for (int place = 0; place < among.size(); place++) {
      if (among.get(place).name().equals(variable.name())) {
        return place;
      }
    }
    return UNKNOWN;
  }

  private static int[] levels(SpecVariable source, SpecVariable target) {
    int[] map = new int[Math.max(source.levels().size(), source.undisclosed() + 1)];
    for (int level = 0; level < map.length; level++) {
      map[level] =
          level == source.undisclosed()
              ? target.undisclosed()
              : target.indexOf(source.levels().get(level));
    }
    return map;
  }

  /**
   * Returns the person as the other spec has it; null if a level is none of its, or the log lacks a
   * number that its policy reads.
   *
   * @param features of the decision: levels, then numbers
   */
  @Nullable Profile translate(List<Double> features) {
    int[] translated = new int[places.length];
    for (int place = 0; place < places.length; place++) {
      int level = features.get(places[place]).intValue();
      translated[place] = level < levels[place].length ? levels[place][level] : UNKNOWN;
      if (translated[place] < 0) {
        return null;
      }
    }
    double[] values = new double[needsNumbers ? numbers.length : 0];
    for (int i = 0; i < values.length; i++) {
      int at = sourceLevels + numbers[i];
      if (numbers[i] < 0 || at >= features.size()) {
        return null;
      }
      values[i] = features.get(at);
    }
    return new Profile(translated, values);
  }
}
