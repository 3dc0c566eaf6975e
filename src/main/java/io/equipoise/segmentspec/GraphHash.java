package io.equipoise.segmentspec;

import io.equipoise.causal.CausalGraph;

/** Names a causal graph by its content: bounds computed for one graph say nothing about another. */
public final class GraphHash {
  private GraphHash() {}

  /** Returns the fingerprint that computed bounds carry: 32 lower-case hexadecimal digits. */
  public static String of(CausalGraph graph) {
    return graph.fingerprint();
  }
}
