package io.equipoise.causal;

import java.util.Set;
import java.util.TreeSet;

/**
 * Writes a graph down so that two graphs with the same nodes, latent marks and edges read the same,
 * in whatever order they were declared.
 *
 * <p>One line for each node and edge, nodes first, then directed, then bidirected edges, each kind
 * in the order of its names (UTF-16); a name stands behind its length. What bounds were computed
 * for and what a spec declares is compared by a hash of this text, so the text never changes.
 */
public final class CanonicalGraph {
  private static final String VERSION = "admg 1\n";

  private CanonicalGraph() {}

  /** Returns the text. */
  public static String text(CausalGraph graph) {
    StringBuilder text = new StringBuilder(VERSION);
    Set<String> latents = graph.latents();
    Set<String> nodes = new TreeSet<>(graph.nodes());
    for (String node : nodes) {
      named(text.append(latents.contains(node) ? "latent" : "node"), node).append('\n');
    }
    for (String node : nodes) {
      for (String child : new TreeSet<>(graph.children(node))) {
        named(named(text.append("->"), node), child).append('\n');
      }
    }
    for (String node : nodes) {
      for (String sibling : new TreeSet<>(graph.siblings(node))) {
        if (node.compareTo(sibling) < 0) {
          named(named(text.append("<->"), node), sibling).append('\n');
        }
      }
    }
    return text.toString();
  }

  private static StringBuilder named(StringBuilder text, String name) {
    return text.append(' ').append(name.length()).append(':').append(name);
  }
}
