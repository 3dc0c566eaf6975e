package io.equipoise.causal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/** Sorts parents before children; ties are broken by declaration order. */
final class TopologicalSort {
  private final List<String> names;
  private final int[][] parents;
  private final int[][] children;

  TopologicalSort(List<String> names, int[][] parents, int[][] children) {
    this.names = names;
    this.parents = parents;
    this.children = children;
  }

  /** Kahn 1962 with a heap; throws with a cycle. */
  int[] order() {
    int[] sorted = new int[names.size()];
    int[] missing = new int[names.size()];
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (int node = 0; node < sorted.length; node++) {
      missing[node] = parents[node].length;
      if (missing[node] == 0) {
        ready.add(node);
      }
    }
    int done = 0;
    while (!ready.isEmpty()) {
      int next = ready.remove();
      sorted[done++] = next;
      for (int child : children[next]) {
        missing[child]--;
        if (missing[child] == 0) {
          ready.add(child);
        }
      }
    }
    if (done < sorted.length) {
      List<String> cycle = cycleAmong(missing);
      throw new GraphException(
          "directed cycle: " + String.join(" -> ", cycle) + "; remove or turn one of these edges",
          cycle);
    }
    return sorted;
  }

  /** Walks backwards among nodes that each miss a parent, until a node repeats. */
  private List<String> cycleAmong(int[] missing) {
    int node = 0;
    while (missing[node] == 0) {
      node++;
    }
    int[] seenAt = new int[names.size()];
    Arrays.fill(seenAt, -1);
    List<Integer> walk = new ArrayList<>();
    while (seenAt[node] < 0) {
      seenAt[node] = walk.size();
      walk.add(node);
      node = Arrays.stream(parents[node]).filter(it -> missing[it] > 0).findFirst().orElseThrow();
    }
    List<String> cycle = new ArrayList<>();
    cycle.add(names.get(node));
    for (int i = walk.size() - 1; i >= seenAt[node]; i--) {
      cycle.add(names.get(walk.get(i)));
    }
    return cycle;
  }
}
