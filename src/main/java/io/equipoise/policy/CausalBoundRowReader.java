package io.equipoise.policy;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.causal.Separation;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns the contexts of prior rows into joint levels of a spec's features. */
final class CausalBoundRowReader {
  private final SegmentSpec spec;
  private final List<SpecVariable> features;
  private final Map<Set<String>, Optional<String>> leaks = new HashMap<>();

  CausalBoundRowReader(SegmentSpec spec) {
    this.spec = spec;
    this.features = spec.variables().features();
  }

  /** Returns the places of named features, ascending. */
  int[] places(Collection<String> named) {
    return features.stream()
        .filter(feature -> named.contains(feature.name()))
        .mapToInt(features::indexOf)
        .toArray();
  }

  int[] sizes(int[] places) {
    int[] sizes = new int[places.length];
    for (int i = 0; i < places.length; i++) {
      sizes[i] = CellLayout.size(features.get(places[i]));
    }
    return sizes;
  }

  /** Returns the joint index of the features that a row names. */
  long key(int row, CausalBoundRow given) throws CausalBoundException {
    long key = 0;
    int found = 0;
    for (SpecVariable feature : features) {
      String level = given.context().get(feature.name());
      if (level == null) {
        continue;
      }
      int index = feature.indexOf(level);
      if (index < 0) {
        throw new CausalBoundException(
            row, "variable " + feature.name() + " has no such level; it has " + feature.levels());
      }
      long size = CellLayout.size(feature);
      if (key > (Long.MAX_VALUE - index) / size) {
        throw new CausalBoundException(row, "the contexts have more than 2^63 joint levels");
      }
      key = key * size + index;
      found++;
    }
    if (found < given.context().size()) {
      throw new CausalBoundException(
          row, "of " + given.context().keySet() + " not all are context variables of the spec");
    }
    if (given.isDerived()) {
      checkOmitted(row, given.context().keySet());
    }
    return key;
  }

  /** A bound that leaves a feature out is one for a mean over it, unless the feature is void. */
  private void checkOmitted(int row, Set<String> named) throws CausalBoundException {
    Optional<String> leak = leaks.computeIfAbsent(Set.copyOf(named), this::openPath);
    if (leak.isPresent()) {
      throw new CausalBoundException(
          row,
          "rows that name %s hold for no single context: what they leave out bears on the reward along %s"
              .formatted(named, leak.get()));
    }
  }

  /**
   * Looks for a way on which a feature outside of the named ones bears on the reward when the
   * actions are set: with all edges into the actions cut, and actions and named features given.
   */
  private Optional<String> openPath(Set<String> named) {
    List<String> actions = new ArrayList<>();
    spec.variables().actions().forEach(action -> actions.add(action.name()));
    List<String> omitted = new ArrayList<>();
    List<String> given = new ArrayList<>();
    CausalGraph graph = spec.graph();
    for (SpecVariable feature : features) {
      (named.contains(feature.name()) ? given : omitted).add(feature.name());
    }
    for (String action : actions) {
      if (graph.contains(action)) {
        given.add(action);
      }
    }
    return Separation.openPath(
        set(graph, actions), omitted, List.of(spec.variables().reward().name()), given);
  }

  private static CausalGraph set(CausalGraph graph, Collection<String> actions) {
    GraphBuilder cut = CausalGraph.builder();
    graph.nodes().forEach(cut::node);
    for (String node : graph.nodes()) {
      for (String child : graph.children(node)) {
        if (!actions.contains(child)) {
          cut.directed(node, child);
        }
      }
      for (String sibling : graph.siblings(node)) {
        if (!actions.contains(node) && !actions.contains(sibling)) {
          cut.bidirected(node, sibling);
        }
      }
    }
    return cut.build();
  }
}
