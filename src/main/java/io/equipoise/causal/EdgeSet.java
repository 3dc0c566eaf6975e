package io.equipoise.causal;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Collects edges between numbered nodes, each once; memory is proportional to their number. */
final class EdgeSet {
  private final Set<Long> edges = new HashSet<>();

  void add(int from, int to) {
    edges.add(((long) from << Integer.SIZE) | to);
  }

  /**
   * Returns for every node, in ascending order, the targets of its edges or, reversed, the sources.
   */
  int[][] neighbors(int nodes, boolean isReversed) {
    long[] sorted = new long[edges.size()];
    int count = 0;
    for (long edge : edges) {
      sorted[count++] = isReversed ? Long.rotateLeft(edge, Integer.SIZE) : edge;
    }
    Arrays.sort(sorted);
    int[][] neighbors = new int[nodes][];
    int at = 0;
    for (int node = 0; node < nodes; node++) {
      int end = at;
      while (end < count && (int) (sorted[end] >>> Integer.SIZE) == node) {
        end++;
      }
      neighbors[node] = new int[end - at];
      for (int i = at; i < end; i++) {
        neighbors[node][i - at] = (int) sorted[i];
      }
      at = end;
    }
    return neighbors;
  }
}
