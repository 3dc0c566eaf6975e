package io.equipoise.causal;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Finds a vertex cut of least capacity between two sets of nodes, by maximum flow (Dinic 1970).
 *
 * <p>Every node v becomes an arc from its in-side 2v to its out-side 2v + 1 with v's capacity; an
 * edge u - v becomes arcs out(u) to in(v) and out(v) to in(u) without bound. Flow starts at the
 * in-side of the sources, so that a source of finite capacity can itself be cut, and ends at the
 * in-side of the sinks, which cannot. An arc that an augmentation fills has residual exactly 0, so
 * that rounding never keeps the search from ending.
 */
final class VertexCut {
  private final BitSet nodes;
  private final int start;
  private final int end;
  private final int[] firstArc;
  private final int[] level;
  private final int[] queue;
  private final int[] nextTried;
  private int[] head = new int[64];
  private int[] nextArc = new int[64];
  private double[] residual = new double[64];
  private int arcs;

  VertexCut(AugmentedGraph graph, BitSet sources, BitSet sinks, double[] capacity) {
    nodes = graph.nodes();
    start = 2 * capacity.length;
    end = start + 1;
    firstArc = new int[end + 1];
    level = new int[end + 1];
    queue = new int[end + 1];
    nextTried = new int[end + 1];
    Arrays.fill(firstArc, -1);
    nodes.stream().forEach(node -> arc(2 * node, 2 * node + 1, capacity[node]));
    nodes.stream().forEach(node -> edges(node, graph.adjacent(node)));
    sources.stream().forEach(node -> arc(start, 2 * node, Double.POSITIVE_INFINITY));
    sinks.stream().forEach(node -> arc(2 * node, end, Double.POSITIVE_INFINITY));
  }

  /** Returns the cheapest cut nearest to the sources; empty if every cut has infinite capacity. */
  Optional<BitSet> minimum() {
    while (layered()) {
      System.arraycopy(firstArc, 0, nextTried, 0, firstArc.length);
      double pushed = push(start, Double.POSITIVE_INFINITY);
      while (pushed > 0) {
        if (pushed == Double.POSITIVE_INFINITY) {
          return Optional.empty();
        }
        pushed = push(start, Double.POSITIVE_INFINITY);
      }
    }
    BitSet cut = new BitSet();
    nodes.stream()
        .filter(node -> level[2 * node] >= 0 && level[2 * node + 1] < 0)
        .forEach(cut::set);
    return Optional.of(cut);
  }

  private void edges(int node, BitSet neighbors) {
    neighbors.stream().forEach(other -> arc(2 * node + 1, 2 * other, Double.POSITIVE_INFINITY));
  }

  /** Adds an arc at an even index, followed by its reverse. */
  private void arc(int from, int to, double capacity) {
    if (arcs + 2 > head.length) {
      head = Arrays.copyOf(head, 2 * head.length);
      nextArc = Arrays.copyOf(nextArc, head.length);
      residual = Arrays.copyOf(residual, head.length);
    }
    half(from, to, capacity);
    half(to, from, 0);
  }

  private void half(int from, int to, double capacity) {
    head[arcs] = to;
    residual[arcs] = capacity;
    nextArc[arcs] = firstArc[from];
    firstArc[from] = arcs++;
  }

  /** Labels reachable nodes by distance from the start; false if the end is unreachable. */
  private boolean layered() {
    Arrays.fill(level, -1);
    level[start] = 0;
    queue[0] = start;
    int queued = 1;
    for (int i = 0; i < queued; i++) {
      int at = queue[i];
      for (int arc = firstArc[at]; arc >= 0; arc = nextArc[arc]) {
        if (residual[arc] > 0 && level[head[arc]] < 0) {
          level[head[arc]] = level[at] + 1;
          queue[queued++] = head[arc];
        }
      }
    }
    return level[end] >= 0;
  }

  private double push(int at, double available) {
    if (at == end) {
      return available;
    }
    for (; nextTried[at] >= 0; nextTried[at] = nextArc[nextTried[at]]) {
      int arc = nextTried[at];
      if (residual[arc] > 0 && level[head[arc]] == level[at] + 1) {
        double pushed = push(head[arc], Math.min(available, residual[arc]));
        if (pushed > 0) {
          residual[arc] -= pushed;
          residual[arc ^ 1] += pushed;
          return pushed;
        }
      }
    }
    return 0;
  }
}
