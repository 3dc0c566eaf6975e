package io.equipoise.policy.features;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;

/** Stands for all people of a spec by some who disclose everything. */
public final class SampledPeople {
  private SampledPeople() {}

  /**
   * Returns people evenly apart in the order of all joint levels, the last variable's the fastest;
   * all of them if they are few. A number is the middle of its level.
   *
   * @param most the most people
   */
  public static List<Profile> of(SegmentSpec spec, int most) {
    List<SpecVariable> features = spec.variables().features();
    double all = 1;
    for (SpecVariable variable : features) {
      all *= variable.disclosedLevels();
    }
    int count = (int) Math.min(all, most);
    List<Profile> people = new ArrayList<>(count);
    for (int number = 0; number < count; number++) {
      people.add(person(features, Math.floor(number * (all / count))));
    }
    return people;
  }

  private static Profile person(List<SpecVariable> features, double number) {
    int[] levels = new int[features.size()];
    double left = number;
    for (int place = levels.length - 1; place >= 0; place--) {
      int size = features.get(place).disclosedLevels();
      levels[place] = (int) (left % size);
      left = Math.floor(left / size);
    }
    List<Double> numbers = new ArrayList<>();
    for (int place = 0; place < levels.length; place++) {
      if (features.get(place).isNumeric()) {
        numbers.add(features.get(place).middle(levels[place]));
      }
    }
    return new Profile(levels, numbers.stream().mapToDouble(it -> it).toArray());
  }
}
