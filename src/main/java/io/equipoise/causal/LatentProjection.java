package io.equipoise.causal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Removes the latent nodes from a graph and keeps their effect (Verma and Pearl 1990).
 *
 * <p>One at a time: a latent node's parents become parents of its children; its children become
 * siblings of each other and of its own siblings. The order makes no difference. The result has the
 * same separations and the same identifiable effects among the remaining nodes.
 */
final class LatentProjection {
  private final CausalGraph graph;
  private final List<Set<Integer>> parents;
  private final List<Set<Integer>> children;
  private final List<Set<Integer>> siblings;

  private LatentProjection(CausalGraph graph) {
    this.graph = graph;
    parents = new ArrayList<>();
    children = new ArrayList<>();
    siblings = new ArrayList<>();
    for (int node = 0; node < graph.size(); node++) {
      parents.add(setOf(graph.parentsOf(node)));
      children.add(setOf(graph.childrenOf(node)));
      siblings.add(setOf(graph.siblingsOf(node)));
    }
  }

  static CausalGraph of(CausalGraph graph) {
    LatentProjection projection = new LatentProjection(graph);
    graph.latentBits().stream().forEach(projection::takeOut);
    return projection.result();
  }

  private void takeOut(int latent) {
    for (int child : children.get(latent)) {
      parents.get(child).remove(latent);
      for (int parent : parents.get(latent)) {
        parents.get(child).add(parent);
        children.get(parent).add(child);
      }
      join(child, children.get(latent));
      join(child, siblings.get(latent));
    }
    parents.get(latent).forEach(parent -> children.get(parent).remove(latent));
    siblings.get(latent).forEach(sibling -> siblings.get(sibling).remove(latent));
  }

  private void join(int node, Set<Integer> others) {
    for (int other : others) {
      if (other != node) {
        siblings.get(node).add(other);
        siblings.get(other).add(node);
      }
    }
  }

  private CausalGraph result() {
    GraphBuilder builder = CausalGraph.builder();
    for (int node = 0; node < graph.size(); node++) {
      if (!graph.latentBits().get(node)) {
        builder.node(graph.name(node));
      }
    }
    graph.selection().ifPresent(builder::markSelected);
    for (int node = 0; node < graph.size(); node++) {
      if (!graph.latentBits().get(node)) {
        String name = graph.name(node);
        children.get(node).forEach(child -> builder.directed(name, graph.name(child)));
        siblings.get(node).forEach(other -> builder.bidirected(name, graph.name(other)));
      }
    }
    return builder.build();
  }

  private static Set<Integer> setOf(int[] nodes) {
    Set<Integer> set = new TreeSet<>();
    for (int node : nodes) {
      set.add(node);
    }
    return set;
  }
}
