package io.equipoise.policy.features;

import io.equipoise.causal.Separation;
import io.equipoise.causal.TwinNetwork;
import io.equipoise.policy.features.SensitivePairs.Pair;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Says of which comparisons a model's features tell nothing. That they are the same in both worlds
 * is no proof that the attribute has no effect: the model only does not see one. What proves it is
 * the spec's graph, where it separates the attribute from the reward given the arm and all else
 * that is known of the person. Immutable.
 */
public final class SeenAttributes {
  private final List<SpecVariable> people;
  private final BitSet harmless = new BitSet();
  private final BitSet hidden = new BitSet();

  /** Looks which sensitive attributes of a spec the features of its model show. */
  public SeenAttributes(SegmentSpec spec, FeatureMap features) {
    people = spec.variables().features();
    for (int place : spec.variables().sensitive()) {
      String name = people.get(place).name();
      boolean isHarmless = isHarmless(spec, name);
      harmless.set(place, isHarmless);
      hidden.set(place, !isHarmless && !features.variables().contains(name));
    }
  }

  /**
   * Returns the faults of attributes whose direct effect the graph does not identify. With all that
   * the features show set to other values (an asterisk), the reward must be independent of the
   * attribute given the rest of what they show: else a model learns an association.
   */
  public static List<SpecFault> confounded(SegmentSpec spec, FeatureMap features) {
    List<SpecFault> faults = new ArrayList<>();
    List<SpecVariable> people = spec.variables().features();
    Set<String> shown = new TreeSet<>();
    people.forEach(variable -> shown.add(variable.name()));
    shown.retainAll(features.variables());
    Set<String> set = new TreeSet<>(shown);
    spec.variables().actions().forEach(variable -> set.add(variable.name()));
    TwinNetwork network = TwinNetwork.of(spec.graph(), set);
    for (int place : spec.variables().sensitive()) {
      String name = people.get(place).name();
      if (shown.contains(name)) {
        Set<String> given = new TreeSet<>(shown);
        given.remove(name);
        network
            .openPath(spec.variables().reward().name(), Set.of(name), given, Set.of())
            .ifPresent(path -> faults.add(NotIdentified.fault(name, path)));
      }
    }
    return faults;
  }

  private static boolean isHarmless(SegmentSpec spec, String attribute) {
    List<String> held = new ArrayList<>();
    for (SpecVariable variable : spec.variables().all()) {
      boolean isKnown = variable.role().isFeature() || variable.role() == VariableRole.ACTION;
      if (isKnown && !variable.name().equals(attribute)) {
        held.add(variable.name());
      }
    }
    String reward = spec.variables().reward().name();
    return Separation.separated(spec.graph(), List.of(attribute), List.of(reward), held);
  }

  /**
   * Says whether the features tell nothing of a comparison's effect, though it may have one. Of
   * attributes that change together each must be shown.
   *
   * @param isAlike whether the audited arm has the same features in both worlds
   */
  public boolean isHidden(Pair pair, boolean isAlike) {
    if (pair.joint() == null) {
      return isAlike && !harmless.get(pair.attribute());
    }
    List<Integer> places = pair.joint().places();
    boolean isHarmless = places.stream().allMatch(harmless::get);
    return !isHarmless && (isAlike || places.stream().anyMatch(hidden::get));
  }

  /** Returns the sensitive attributes that may have an effect and that no feature shows. */
  public List<String> hidden() {
    return hidden.stream().mapToObj(place -> people.get(place).name()).toList();
  }

  /**
   * Returns the faults of a policy that limits effects which it does not see.
   *
   * @param limit what limits them, for people
   */
  public List<SpecFault> faults(String limit) {
    return hidden().stream().map(name -> fault(name, limit)).toList();
  }

  private static SpecFault fault(String name, String limit) {
    return new SpecFault(
        "policy.features",
        "no term that shows " + name,
        "{one-hot: "
            + name
            + "} among them: "
            + limit
            + " limits the effects of "
            + name
            + ", and of what no feature shows no effect is ever known");
  }

  /** Returns what an operator should know of a policy that limits no effects. */
  public List<String> warnings() {
    return hidden().stream().map(SeenAttributes::warning).toList();
  }

  private static String warning(String name) {
    return "no feature shows "
        + name
        + ": not to see an attribute is no proof that it has no effect, so the audit calls its"
        + " effects NO_OVERLAP. A policy with {one-hot: "
        + name
        + "} among its features can tell";
  }
}
