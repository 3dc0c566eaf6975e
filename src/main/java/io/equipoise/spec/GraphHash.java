package io.equipoise.spec;

import io.equipoise.causal.CanonicalGraph;
import io.equipoise.causal.CausalGraph;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Names a causal graph by its content: bounds computed for one graph say nothing about another. */
public final class GraphHash {
  private GraphHash() {}

  /** Returns the lower-case hexadecimal SHA-256 of {@link CanonicalGraph#text} in UTF-8. */
  public static String of(CausalGraph graph) {
    byte[] text = CanonicalGraph.text(graph).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(Sha256.of(text));
  }
}
