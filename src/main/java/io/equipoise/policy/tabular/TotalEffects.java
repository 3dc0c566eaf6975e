package io.equipoise.policy.tabular;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Separation;
import io.equipoise.causal.TwinNetwork;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides from the graph whether cells of W give the total effect of sensitive attributes on a
 * person's reward.
 *
 * <p>With S the attributes, D their descendants among the features, N all other features, and an
 * asterisk for the world where S is set to s' and the arm to a: if R* is independent of (S, D)
 * given (N, D*), then E[R* | s, n, d] is an average of E[R | s', n, b, a] over values b of D*, and
 * the range over b bounds it. A hidden common cause of R with S or D breaks the independence.
 * Immutable.
 */
public final class TotalEffects {
  private final EstimatedLaw law;
  private final List<SpecVariable> features;
  private final Set<String> actions = new TreeSet<>();
  private final Set<String> w;
  private final String reward;

  /** Reads the graph in which a number is above its bin. */
  public TotalEffects(SegmentSpec spec, List<String> w) {
    law = EstimatedLaw.ofCells(spec);
    features = spec.variables().features();
    spec.variables().actions().forEach(variable -> actions.add(variable.name()));
    this.w = Set.copyOf(w);
    reward = spec.variables().reward().name();
  }

  /** Returns a path between the worlds that is open though all is disclosed; empty if none is. */
  Optional<String> confounding(List<Integer> places) {
    return confounding(places, new BitSet());
  }

  /**
   * Returns whether the cells of people who do not disclose some features give the effect too:
   * these bear on the reward only independently of the attributes and of all that is disclosed.
   */
  public boolean holdsWithout(List<Integer> places, BitSet undisclosed) {
    Set<String> known = new TreeSet<>(w);
    known.removeAll(named(undisclosed));
    Set<String> outside = new TreeSet<>(actions);
    features.forEach(feature -> outside.add(feature.name()));
    outside.removeAll(w);
    outside.removeAll(named(undisclosed));
    return confounding(places, undisclosed).isEmpty()
        && Separation.separated(law.about(names(places)).graph(), outside, List.of(reward), known);
  }

  /**
   * Returns a path between the worlds that is open though all is disclosed, the attributes alone
   * change, and arm, followers and the mediators of W stay; empty if none is.
   */
  Optional<String> confoundingOfDirect(List<Integer> places) {
    Set<String> attributes = names(places);
    CausalGraph graph = law.about(attributes).graph();
    Set<String> held = new TreeSet<>(w);
    held.addAll(actions);
    Set<String> given = new TreeSet<>(held);
    for (SpecVariable feature : features) {
      given.add(feature.name());
      held.remove(feature.name());
      if (graph.descendants(attributes).contains(feature.name())) {
        held.add(feature.name());
      }
    }
    given.removeAll(attributes);
    held.addAll(attributes);
    return TwinNetwork.of(graph, held).openPath(reward, attributes, given, Set.of());
  }

  /**
   * Returns an observed mediator that the attributes move, and that bears on the reward around W:
   * cells of W cannot tell its part from that of the attributes alone.
   */
  Optional<String> mediatorBesideW(List<Integer> places, List<SpecVariable> mediators) {
    CausalGraph graph = law.graph();
    Set<String> moved = graph.descendants(names(places));
    return mediators.stream()
        .map(SpecVariable::name)
        .filter(it -> moved.contains(it) && !w.contains(it) && reachesReward(graph, it))
        .findFirst();
  }

  private boolean reachesReward(CausalGraph graph, String node) {
    return node.equals(reward)
        || graph.children(node).stream()
            .anyMatch(child -> !w.contains(child) && reachesReward(graph, child));
  }

  private Optional<String> confounding(List<Integer> places, BitSet undisclosed) {
    Set<String> attributes = names(places);
    CausalGraph graph = law.about(attributes).graph();
    Set<String> descendants = new TreeSet<>(graph.descendants(attributes));
    Set<String> observed = new TreeSet<>(attributes);
    Set<String> given = new TreeSet<>();
    Set<String> followers = new TreeSet<>();
    for (int place = 0; place < features.size(); place++) {
      String name = features.get(place).name();
      if (attributes.contains(name)) {
        continue;
      }
      boolean follows = descendants.contains(name);
      if (follows) {
        followers.add(name);
      }
      if (!undisclosed.get(place)) {
        (follows ? observed : given).add(name);
      }
    }
    Set<String> set = new TreeSet<>(attributes);
    set.addAll(actions);
    return TwinNetwork.of(graph, set).openPath(reward, observed, given, followers);
  }

  Set<String> names(List<Integer> places) {
    Set<String> names = new TreeSet<>();
    places.forEach(place -> names.add(features.get(place).name()));
    return names;
  }

  private Set<String> named(BitSet places) {
    return names(places.stream().boxed().toList());
  }
}
