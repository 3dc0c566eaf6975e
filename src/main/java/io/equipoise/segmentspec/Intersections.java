package io.equipoise.segmentspec;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Numbers the sets of two or more sensitive attributes that are changed together if the spec asks
 * for {@code fairness.intersections}. A set gets a number as an attribute after the features. A
 * joint level gets one from the disclosed levels of its attributes, the first the most significant.
 * Immutable.
 */
public final class Intersections {
  /** Maximum number of joint comparisons of one decision, and of those of single attributes. */
  static final int MAX_COMPARISONS = 256;

  private static final String SEPARATOR = "*";

  private final List<SpecVariable> features;
  private final List<List<Integer>> sets;

  private Intersections(List<SpecVariable> features, List<List<Integer>> sets) {
    this.features = features;
    this.sets = sets;
  }

  /**
   * Describes one comparison of two worlds that differ in every attribute of a set.
   *
   * @param attribute number of the set
   * @param factual joint level in the world that is compared with
   * @param counterfactual joint level in the other world
   * @param places of the attributes among the features
   * @param here level of each in the world that is compared with
   * @param there level of each in the other world
   */
  public record JointPair(
      int attribute,
      int factual,
      int counterfactual,
      List<Integer> places,
      List<Integer> here,
      List<Integer> there) {
    /** Copies the lists. */
    public JointPair {
      places = List.copyOf(places);
      here = List.copyOf(here);
      there = List.copyOf(there);
    }

    /** Returns a context in the world that is compared with. */
    public int[] factualOf(int[] context) {
      return changed(context, here);
    }

    /** Returns a context in the other world. */
    public int[] counterfactualOf(int[] context) {
      return changed(context, there);
    }

    private int[] changed(int[] context, List<Integer> levels) {
      int[] changed = context.clone();
      for (int i = 0; i < places.size(); i++) {
        changed[places.get(i)] = levels.get(i);
      }
      return changed;
    }
  }

  /** Returns the sets of a spec; none if it does not ask for them. */
  public static Intersections of(SegmentSpec spec) {
    List<SpecVariable> features = spec.variables().features();
    List<Integer> sensitive =
        spec.variables().sensitive().stream()
            .filter(place -> features.get(place).disclosedLevels() > 1)
            .toList();
    List<List<Integer>> sets = new ArrayList<>();
    if (spec.fairness().intersections()) {
      for (long chosen = 1; chosen < 1L << sensitive.size(); chosen++) {
        List<Integer> set = new ArrayList<>();
        for (int i = 0; i < sensitive.size(); i++) {
          if (((chosen >> i) & 1) == 1) {
            set.add(sensitive.get(i));
          }
        }
        if (set.size() > 1) {
          sets.add(set);
        }
      }
    }
    return new Intersections(features, sets);
  }

  /** Returns how many joint comparisons a decision has at most. */
  static double comparisons(List<SpecVariable> sensitive) {
    double all = 1;
    double single = 0;
    for (SpecVariable variable : sensitive) {
      double pairs = variable.comparisons();
      all *= 1 + pairs;
      single += pairs;
    }
    return all - 1 - single;
  }

  /** Returns the sets, each by the places of its attributes. */
  public List<List<Integer>> sets() {
    return sets;
  }

  /** Returns the number that a set has as an attribute. */
  public int attribute(int set) {
    return features.size() + set;
  }

  /** Returns the name of a feature or a set. */
  public String name(int attribute) {
    if (attribute < features.size()) {
      return features.get(attribute).name();
    }
    return places(attribute).stream()
        .map(place -> features.get(place).name())
        .collect(Collectors.joining(SEPARATOR));
  }

  /** Returns the level of a feature, or the joint one of a set. */
  public String level(int attribute, int level) {
    if (attribute < features.size()) {
      return features.get(attribute).levels().get(level);
    }
    String joint = "";
    int rest = level;
    List<Integer> places = places(attribute);
    for (int i = places.size() - 1; i >= 0; i--) {
      SpecVariable variable = features.get(places.get(i));
      String own = variable.levels().get(rest % variable.disclosedLevels());
      joint = joint.isEmpty() ? own : own + SEPARATOR + joint;
      rest /= variable.disclosedLevels();
    }
    return joint;
  }

  /** Returns the comparisons of a context, set by set; all that fit where one is undisclosed. */
  public List<JointPair> of(int[] context) {
    List<JointPair> pairs = new ArrayList<>();
    for (int set = 0; set < sets.size(); set++) {
      JointPair begun = new JointPair(attribute(set), 0, 0, sets.get(set), List.of(), List.of());
      expand(begun, context, pairs);
    }
    return pairs;
  }

  /** Fixes the next attribute of a pair in every way. */
  private void expand(JointPair begun, int[] context, List<JointPair> pairs) {
    int next = begun.here().size();
    if (next == begun.places().size()) {
      pairs.add(begun);
      return;
    }
    int place = begun.places().get(next);
    SpecVariable variable = features.get(place);
    int levels = variable.disclosedLevels();
    boolean isDisclosed = context[place] != variable.undisclosed();
    for (int s = 0; s < levels; s++) {
      for (int other = 0; other < levels; other++) {
        if (s != other && (!isDisclosed || s == context[place])) {
          JointPair longer =
              new JointPair(
                  begun.attribute(),
                  begun.factual() * levels + s,
                  begun.counterfactual() * levels + other,
                  begun.places(),
                  with(begun.here(), s),
                  with(begun.there(), other));
          expand(longer, context, pairs);
        }
      }
    }
  }

  private static List<Integer> with(List<Integer> levels, int one) {
    List<Integer> more = new ArrayList<>(levels);
    more.add(one);
    return more;
  }

  private List<Integer> places(int attribute) {
    return sets.get(attribute - features.size());
  }
}
