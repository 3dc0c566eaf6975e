package io.equipoise.policy.features;

import io.equipoise.segmentspec.Intersections;
import io.equipoise.segmentspec.Intersections.JointPair;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists the comparisons that the audit of a person needs: every sensitive attribute against every
 * other value of it, and every ordered pair of values where the attribute is undisclosed; after
 * them, where the spec asks for it, those of several attributes at once. Only the attributes
 * change: effects are direct. A numeric one changes its bin, and not its number, which no feature
 * map shows. Immutable.
 */
public final class SensitivePairs {
  private final List<SpecVariable> people;
  private final List<Integer> sensitive;
  private final Intersections intersections;

  /** Lists the comparisons for people of a spec. */
  public SensitivePairs(SegmentSpec spec) {
    people = spec.variables().features();
    sensitive = spec.variables().sensitive();
    intersections = Intersections.of(spec);
  }

  /**
   * Describes one comparison.
   *
   * @param attribute place of the attribute, or the number of a set of them
   * @param factual level in the world that is compared with
   * @param counterfactual level in the other world
   * @param joint what changes, of a set of attributes; null of a single one
   */
  public record Pair(int attribute, int factual, int counterfactual, @Nullable JointPair joint) {
    /** Returns the places of the attributes that change. */
    List<Integer> changed() {
      return joint == null ? List.of(attribute) : joint.places();
    }

    /** Returns a person in the world that is compared with. */
    public Profile factualOf(Profile person) {
      return joint == null
          ? person.with(attribute, factual)
          : new Profile(joint.factualOf(person.levels()), person.numbers());
    }

    /** Returns a person in the other world. */
    public Profile counterfactualOf(Profile person) {
      return joint == null
          ? person.with(attribute, counterfactual)
          : new Profile(joint.counterfactualOf(person.levels()), person.numbers());
    }
  }

  /** Returns the attributes and sets of them, in the order of the comparisons. */
  public List<Integer> attributes() {
    List<Integer> attributes = new ArrayList<>(sensitive);
    for (int set = 0; set < intersections.sets().size(); set++) {
      attributes.add(intersections.attribute(set));
    }
    return attributes;
  }

  /** Returns every comparison that any person has. */
  public List<Pair> ofAnyone() {
    return of(people.stream().mapToInt(SpecVariable::undisclosed).toArray());
  }

  /** Returns the comparisons in the order attribute, factual value, counterfactual value. */
  public List<Pair> of(int[] levels) {
    List<Pair> pairs = new ArrayList<>();
    for (int place : sensitive) {
      SpecVariable variable = people.get(place);
      boolean isDisclosed = levels[place] != variable.undisclosed();
      for (int s = 0; s < variable.disclosedLevels(); s++) {
        for (int other = 0; other < variable.disclosedLevels(); other++) {
          if (s != other && (!isDisclosed || s == levels[place])) {
            pairs.add(new Pair(place, s, other, null));
          }
        }
      }
    }
    for (JointPair joint : intersections.of(levels)) {
      pairs.add(new Pair(joint.attribute(), joint.factual(), joint.counterfactual(), joint));
    }
    return pairs;
  }
}
