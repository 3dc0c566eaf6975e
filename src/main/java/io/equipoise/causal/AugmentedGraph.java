package io.equipoise.causal;

import java.util.BitSet;

/**
 * Turns m-separation into separation of an undirected graph.
 *
 * <p>Richardson 2003, Theorem 1: X and Y are m-separated by Z iff Z separates them in the augmented
 * graph of An(X u Y u Z), where two nodes are adjacent iff a path of colliders only joins them:
 * each district with its parents is a clique. Without bidirected edges it is the moral graph. Hence
 * separation is monotone for a fixed ancestral set: a superset of a separator separates.
 */
final class AugmentedGraph {
  private final BitSet nodes;
  private final BitSet[] adjacent;

  /** The nodes of {@code ancestral} must include their parents. */
  AugmentedGraph(Subgraph ancestral) {
    nodes = ancestral.nodes();
    adjacent = new BitSet[ancestral.graph().size()];
    for (int node = 0; node < adjacent.length; node++) {
      adjacent[node] = new BitSet();
    }
    for (BitSet district : ancestral.components()) {
      join(Bits.or(district, ancestral.parents(district)));
    }
  }

  /** Returns a live view; the caller must not change it. */
  BitSet adjacent(int node) {
    return adjacent[node];
  }

  BitSet nodes() {
    return nodes;
  }

  /** Removes a node, as if it were always in the separator. */
  void remove(int node) {
    nodes.clear(node);
    for (BitSet neighbors : adjacent) {
      neighbors.clear(node);
    }
    adjacent[node] = new BitSet();
  }

  /** Removes a node, as if it were never in the separator: its neighbors become adjacent. */
  void eliminate(int node) {
    BitSet neighbors = adjacent[node];
    remove(node);
    join(neighbors);
  }

  private void join(BitSet clique) {
    for (int node = clique.nextSetBit(0); node >= 0; node = clique.nextSetBit(node + 1)) {
      adjacent[node].or(clique);
      adjacent[node].clear(node);
    }
  }
}
