package io.equipoise.bandit;

import io.equipoise.causal.SeparatingSet;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecFault;
import io.equipoise.spec.SpecVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lists the comparisons that the audit of a context needs: every sensitive attribute against every
 * other value of it, and every ordered pair of values where the attribute is undisclosed.
 *
 * <p>Descendants B of an attribute S among the features follow it into the other world, where their
 * values are unknown. Only those count that choose a cell or bear on p(z|x,a). In the factual world
 * b is known, also where S is not.
 */
final class Counterfactuals {
  /** Bounds the worlds of one comparison. */
  private static final int MAX_JOINT_VALUES = 4096;

  private final List<SpecVariable> features;
  private final List<Attribute> attributes = new ArrayList<>();

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Attribute(int place, int[] followers, boolean hasEffect) {}

  Counterfactuals(
      SegmentSpec spec, SeparatingSet w, MediatorWeights weights, List<SpecFault> faults) {
    features = spec.variables().features();
    for (int place : spec.variables().sensitive()) {
      String name = features.get(place).name();
      Set<String> descendants = spec.graph().descendants(List.of(name));
      List<Integer> followers = new ArrayList<>();
      long joint = 1;
      for (int other = 0; other < features.size(); other++) {
        String feature = features.get(other).name();
        boolean matters = w.variables().contains(feature) || weights.dependsOn(other);
        if (other != place && descendants.contains(feature) && matters) {
          followers.add(other);
          joint = Math.min(joint * features.get(other).disclosedLevels(), MAX_JOINT_VALUES + 1L);
        }
      }
      if (joint > MAX_JOINT_VALUES) {
        faults.add(
            new SpecFault(
                "graph",
                "descendants of " + name + " with more than " + MAX_JOINT_VALUES + " joint values",
                "fewer descendants among the features, or fewer levels"));
      }
      boolean hasEffect =
          !followers.isEmpty() || w.variables().contains(name) || weights.dependsOn(place);
      int[] places = followers.stream().mapToInt(i -> i).toArray();
      attributes.add(new Attribute(place, places, hasEffect));
    }
  }

  boolean hasEffects() {
    return attributes.stream().anyMatch(Attribute::hasEffect);
  }

  /** Returns the comparisons in the order attribute, factual value, counterfactual value. */
  List<Comparison> of(int[] context) {
    List<Comparison> comparisons = new ArrayList<>();
    for (Attribute attribute : attributes) {
      SpecVariable variable = features.get(attribute.place());
      int level = context[attribute.place()];
      boolean isDisclosed = level != variable.undisclosed();
      for (int s = 0; s < variable.disclosedLevels(); s++) {
        for (int other = 0; other < variable.disclosedLevels(); other++) {
          if (s != other && (!isDisclosed || s == level)) {
            comparisons.add(comparison(attribute, context, s, other));
          }
        }
      }
    }
    return comparisons;
  }

  private Comparison comparison(Attribute attribute, int[] context, int s, int other) {
    int[] factual = context.clone();
    factual[attribute.place()] = s;
    int[] changed = context.clone();
    changed[attribute.place()] = other;
    List<int[]> worlds = new ArrayList<>();
    expand(changed, attribute.followers(), 0, worlds);
    boolean isIdentified = attribute.followers().length == 0;
    return new Comparison(
        attribute.place(), s, other, factual, worlds.toArray(int[][]::new), isIdentified);
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
