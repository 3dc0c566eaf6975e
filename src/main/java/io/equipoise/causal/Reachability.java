package io.equipoise.causal;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Walks all open paths from a set of nodes at once, breadth first.
 *
 * <p>A state is a node and how it was arrived at: by an arrowhead (odd) or by a tail (even). A
 * shortest open walk repeats no node: where it did, cutting out the loop would leave an open walk,
 * because a loop that leaves a node by its tail comes back only through a collider that is open, of
 * which the node is then an ancestor. So what {@link #path} prints is a path.
 */
final class Reachability {
  private static final int NONE = -1;
  private static final int START = -2;

  private final CausalGraph graph;
  private final BitSet given;
  private final BitSet givenAncestors;
  private final int[] cameFrom;
  private final String[] arrow;
  private final int[] queue;
  private int queued;

  /** Both sets must be disjoint; they are read, not kept changed. */
  Reachability(CausalGraph graph, BitSet sources, BitSet given) {
    this.graph = graph;
    this.given = given;
    givenAncestors = graph.ancestors(given);
    cameFrom = new int[2 * graph.size()];
    arrow = new String[cameFrom.length];
    queue = new int[cameFrom.length];
    Arrays.fill(cameFrom, NONE);
    sources.stream().forEach(node -> arrive(START, node, false, ""));
    for (int i = 0; i < queued; i++) {
      expand(queue[i]);
    }
  }

  /** Returns the state in which the first of {@code targets} was reached. */
  Optional<Integer> first(BitSet targets) {
    for (int i = 0; i < queued; i++) {
      if (targets.get(queue[i] >> 1)) {
        return Optional.of(queue[i]);
      }
    }
    return Optional.empty();
  }

  String path(int state) {
    StringBuilder path = new StringBuilder(graph.name(state >> 1));
    for (int at = state; cameFrom[at] >= 0; at = cameFrom[at]) {
      path.insert(0, graph.name(cameFrom[at] >> 1) + arrow[at]);
    }
    return path.toString();
  }

  private void expand(int state) {
    int node = state >> 1;
    boolean byHead = (state & 1) == 1;
    boolean passes = !given.get(node);
    if (passes) {
      arriveAll(state, graph.childBits(node), true, " -> ");
    }
    if (byHead ? givenAncestors.get(node) : passes) {
      arriveAll(state, graph.parentBits(node), false, " <- ");
      arriveAll(state, graph.siblingBits(node), true, " <-> ");
    }
  }

  private void arriveAll(int from, BitSet nodes, boolean byHead, String by) {
    for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
      arrive(from, node, byHead, by);
    }
  }

  private void arrive(int from, int node, boolean byHead, String by) {
    int state = 2 * node + (byHead ? 1 : 0);
    if (cameFrom[state] == NONE) {
      cameFrom[state] = from;
      arrow[state] = by;
      queue[queued++] = state;
    }
  }
}
