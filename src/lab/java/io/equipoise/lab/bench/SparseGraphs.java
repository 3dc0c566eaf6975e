package io.equipoise.lab.bench;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphBuilder;
import java.util.SplittableRandom;

/**
 * Draws sparse graphs with two directed edges into each node, bidirected edges at some, all local.
 */
final class SparseGraphs {
  private static final double BIDIRECTED = 0.3;

  private final SplittableRandom random;
  private final int reach;

  /** Edges span at most {@code reach} nodes. */
  SparseGraphs(SplittableRandom random, int reach) {
    this.random = random;
    this.reach = reach;
  }

  CausalGraph draw(int nodes) {
    GraphBuilder graph = CausalGraph.builder();
    for (int i = 0; i < nodes; i++) {
      graph.node("V" + i);
    }
    for (int i = 1; i < nodes; i++) {
      graph.directed(before(i), "V" + i);
      graph.directed(before(i), "V" + i);
      if (random.nextDouble() < BIDIRECTED) {
        graph.bidirected(before(i), "V" + i);
      }
    }
    return graph.build();
  }

  private String before(int node) {
    return "V" + Math.max(0, node - 1 - random.nextInt(reach));
  }
}
