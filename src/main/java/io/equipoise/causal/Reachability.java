package io.equipoise.causal;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Walks all open paths from a set of nodes at once, breadth first.
 *
 * <p>A state is a node and its kind of arrival: by an arrowhead (odd) or by a tail (even). A
 * shortest open walk repeats no node. If it did, removing the loop would leave an open walk: a loop
 * that leaves a node by its tail returns only through an open collider, and the node is then an
 * ancestor of that collider. So {@link #path} prints a path.
 */
final class Reachability {
  private static final int NONE = -1;
  private static final int START = -2;

  /** How a step leads from one node to the next. */
  private static final String[] ARROWS = {" -> ", " <- ", " <-> "};

  private static final byte OUT = 0;
  private static final byte IN = 1;
  private static final byte BOTH = 2;

  private final CausalGraph graph;
  private final Subgraph within;
  private final BitSet given;
  private final BitSet openColliders;
  private final int[] cameFrom;
  private final byte[] arrow;
  private final int[] queue;
  private int queued;

  /** Both sets must be disjoint; they are not modified. */
  Reachability(Subgraph within, BitSet sources, BitSet given) {
    this(within, sources, given, within.ancestors(given));
  }

  /** As above, with given open colliders instead of computed ones. */
  Reachability(Subgraph within, BitSet sources, BitSet given, BitSet openColliders) {
    this.graph = within.graph();
    this.within = within;
    this.given = given;
    this.openColliders = openColliders;
    cameFrom = new int[2 * graph.size()];
    arrow = new byte[cameFrom.length];
    queue = new int[cameFrom.length];
    Arrays.fill(cameFrom, NONE);
    sources.stream().filter(within::holds).forEach(node -> arrive(START, node, OUT));
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

  boolean reaches(BitSet targets) {
    return first(targets).isPresent();
  }

  /** Returns every reached node, including given ones. */
  BitSet nodes() {
    BitSet nodes = new BitSet(graph.size());
    for (int i = 0; i < queued; i++) {
      nodes.set(queue[i] >> 1);
    }
    return nodes;
  }

  String path(int state) {
    StringBuilder path = new StringBuilder(graph.name(state >> 1));
    for (int at = state; cameFrom[at] >= 0; at = cameFrom[at]) {
      path.insert(0, graph.name(cameFrom[at] >> 1) + ARROWS[arrow[at]]);
    }
    return path.toString();
  }

  private void expand(int state) {
    int node = state >> 1;
    boolean byHead = (state & 1) == 1;
    boolean passes = !given.get(node);
    if (passes) {
      for (int child : graph.childrenOf(node)) {
        if (within.keeps(node, child)) {
          arrive(state, child, OUT);
        }
      }
    }
    if (byHead ? openColliders.get(node) : passes) {
      for (int parent : graph.parentsOf(node)) {
        if (within.keeps(parent, node)) {
          arrive(state, parent, IN);
        }
      }
      for (int sibling : graph.siblingsOf(node)) {
        if (within.keepsBoth(node, sibling)) {
          arrive(state, sibling, BOTH);
        }
      }
    }
  }

  private void arrive(int from, int node, byte by) {
    boolean byHead = from != START && by != IN;
    int state = 2 * node + (byHead ? 1 : 0);
    if (cameFrom[state] == NONE) {
      cameFrom[state] = from;
      arrow[state] = by;
      queue[queued++] = state;
    }
  }
}
