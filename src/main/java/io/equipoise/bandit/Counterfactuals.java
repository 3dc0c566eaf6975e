package io.equipoise.bandit;

import io.equipoise.causal.SeparatingSet;
import io.equipoise.spec.Intersections;
import io.equipoise.spec.Intersections.JointPair;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecFault;
import io.equipoise.spec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lists the comparisons that the audit of a context needs: every sensitive attribute against every
 * other value of it, and every ordered pair of values where the attribute is undisclosed; after
 * them, where the spec asks for it, those of several attributes at once.
 *
 * <p>Descendants B of an attribute S among the features follow it into the other world, where their
 * values are unknown. Only those count that choose a cell or bear on p(z|x,a). In the factual world
 * b is known, also where S is not.
 */
final class Counterfactuals {
  /** Bounds the worlds of one comparison. */
  private static final int MAX_JOINT_VALUES = 4096;

  private final List<SpecVariable> features;
  private final Intersections intersections;
  private final List<Attribute> attributes = new ArrayList<>();
  private final List<Attribute> sets = new ArrayList<>();

  /** One attribute, or several that are changed together. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Attribute(List<Integer> places, int[] followers, boolean hasEffect) {}

  Counterfactuals(
      SegmentSpec spec, SeparatingSet w, MediatorWeights weights, List<SpecFault> faults) {
    features = spec.variables().features();
    intersections = Intersections.of(spec);
    for (int place : spec.variables().sensitive()) {
      attributes.add(attribute(spec, w, weights, List.of(place), faults));
    }
    for (List<Integer> places : intersections.sets()) {
      sets.add(attribute(spec, w, weights, places, faults));
    }
  }

  private Attribute attribute(
      SegmentSpec spec,
      SeparatingSet w,
      MediatorWeights weights,
      List<Integer> places,
      List<SpecFault> faults) {
    List<String> names = places.stream().map(place -> features.get(place).name()).toList();
    Set<String> descendants = spec.graph().descendants(names);
    List<Integer> followers = new ArrayList<>();
    long joint = 1;
    for (int other = 0; other < features.size(); other++) {
      String feature = features.get(other).name();
      boolean matters = w.variables().contains(feature) || weights.dependsOn(other);
      if (!places.contains(other) && descendants.contains(feature) && matters) {
        followers.add(other);
        joint = Math.min(joint * features.get(other).disclosedLevels(), MAX_JOINT_VALUES + 1L);
      }
    }
    if (joint > MAX_JOINT_VALUES) {
      faults.add(
          new SpecFault(
              "graph",
              "descendants of "
                  + String.join("*", names)
                  + " with more than "
                  + MAX_JOINT_VALUES
                  + " joint values",
              "fewer descendants among the features, or fewer levels"));
    }
    boolean hasEffect = !followers.isEmpty();
    for (int place : places) {
      boolean matters = w.variables().contains(features.get(place).name());
      hasEffect |= matters || weights.dependsOn(place);
    }
    int[] following = followers.stream().mapToInt(i -> i).toArray();
    return new Attribute(places, following, hasEffect);
  }

  boolean hasEffects() {
    return attributes.stream().anyMatch(Attribute::hasEffect);
  }

  /** Returns the comparisons in the order attribute, factual value, counterfactual value. */
  List<Comparison> of(int[] context) {
    List<Comparison> comparisons = new ArrayList<>();
    for (Attribute attribute : attributes) {
      int place = attribute.places().get(0);
      SpecVariable variable = features.get(place);
      int level = context[place];
      boolean isDisclosed = level != variable.undisclosed();
      for (int s = 0; s < variable.disclosedLevels(); s++) {
        for (int other = 0; other < variable.disclosedLevels(); other++) {
          if (s != other && (!isDisclosed || s == level)) {
            int[] factual = context.clone();
            factual[place] = s;
            int[] changed = context.clone();
            changed[place] = other;
            comparisons.add(comparison(place, s, other, factual, changed, attribute));
          }
        }
      }
    }
    for (JointPair joint : intersections.of(context)) {
      Attribute set = sets.get(joint.attribute() - features.size());
      comparisons.add(
          comparison(
              joint.attribute(),
              joint.factual(),
              joint.counterfactual(),
              joint.factualOf(context),
              joint.counterfactualOf(context),
              set));
    }
    return comparisons;
  }

  private Comparison comparison(
      int number, int s, int other, int[] factual, int[] changed, Attribute attribute) {
    List<int[]> worlds = new ArrayList<>();
    expand(changed, attribute.followers(), 0, worlds);
    boolean isIdentified = attribute.followers().length == 0;
    return new Comparison(number, s, other, factual, worlds.toArray(int[][]::new), isIdentified);
  }

  private void expand(int[] context, int[] followers, int next, List<int[]> worlds) {
    if (next == followers.length) {
      worlds.add(context.clone());
      return;
    }
    int known = context[followers[next]];
    for (int b = 0; b < features.get(followers[next]).disclosedLevels(); b++) {
      context[followers[next]] = b;
      expand(context, followers, next + 1, worlds);
    }
    context[followers[next]] = known;
  }
}
