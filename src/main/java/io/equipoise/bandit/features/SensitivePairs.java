package io.equipoise.bandit.features;

import io.equipoise.spec.SpecVariable;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the comparisons that the audit of a person needs: every sensitive attribute against every
 * other value of it, and every ordered pair of values where the attribute is undisclosed. Only the
 * attribute changes: effects are direct. Immutable.
 */
public final class SensitivePairs {
  private final List<SpecVariable> people;
  private final List<Integer> sensitive;

  /**
   * @param people the variables of a person, in order
   * @param sensitive the places of the sensitive ones
   */
  public SensitivePairs(List<SpecVariable> people, List<Integer> sensitive) {
    this.people = List.copyOf(people);
    this.sensitive = List.copyOf(sensitive);
  }

  /**
   * One comparison.
   *
   * @param place of the attribute
   * @param factual level in the world that is compared with
   * @param counterfactual level in the other world
   */
  public record Pair(int place, int factual, int counterfactual) {}

  /** Returns the comparisons in the order attribute, factual value, counterfactual value. */
  public List<Pair> of(int[] levels) {
    List<Pair> pairs = new ArrayList<>();
    for (int place : sensitive) {
      SpecVariable variable = people.get(place);
      boolean isDisclosed = levels[place] != variable.undisclosed();
      for (int s = 0; s < variable.disclosedLevels(); s++) {
        for (int other = 0; other < variable.disclosedLevels(); other++) {
          if (s != other && (!isDisclosed || s == levels[place])) {
            pairs.add(new Pair(place, s, other));
          }
        }
      }
    }
    return pairs;
  }
}
