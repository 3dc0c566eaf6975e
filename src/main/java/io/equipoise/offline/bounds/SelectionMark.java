package io.equipoise.offline.bounds;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphBuilder;
import io.equipoise.causal.GraphException;
import org.jspecify.annotations.Nullable;

/**
 * Marks the node that indicates whether a row is in the log. That node is latent in a spec, because
 * online decisions never observe it.
 */
final class SelectionMark {
  private SelectionMark() {}

  /** Returns the graph with the given selection node, or with its own if none is given. */
  static CausalGraph on(CausalGraph graph, @Nullable String selection) {
    if (selection == null) {
      return graph;
    }
    if (!graph.contains(selection)) {
      throw new GraphException("the graph has no node " + selection + ", only " + graph.nodes());
    }
    GraphBuilder marked = CausalGraph.builder();
    for (String node : graph.nodes()) {
      if (node.equals(selection)) {
        marked.selection(node);
      } else if (graph.latents().contains(node)) {
        marked.latent(node);
      } else {
        marked.node(node);
      }
    }
    for (String node : graph.nodes()) {
      graph.children(node).forEach(child -> marked.directed(node, child));
      for (String sibling : graph.siblings(node)) {
        if (graph.indexOf(node) < graph.indexOf(sibling)) {
          marked.bidirected(node, sibling);
        }
      }
    }
    return marked.build();
  }
}
