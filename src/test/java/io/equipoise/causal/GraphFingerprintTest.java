package io.equipoise.causal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class GraphFingerprintTest {

  @Test
  void theOrderOfADeclarationDoesNotCount() {
    assertEquals(
        hash("dag { A; B; C; A -> B; B -> C; A <-> C }"),
        hash("dag { C <-> A; C; B; A; B -> C; A -> B }"));
  }

  @Test
  void everyEdgeAndMarkCounts() {
    List<String> others =
        List.of(
            "dag { A; B; C; A -> B }",
            "dag { A; B; C; B -> A }",
            "dag { A; B; C; A <-> B }",
            "dag { A; B; C }",
            "dag { A; B; A -> B }",
            "dag { A; B; C [latent] A -> B }");
    for (String one : others) {
      for (String other : others) {
        if (!one.equals(other)) {
          assertNotEquals(hash(one), hash(other));
        }
      }
    }
  }

  private static String hash(String dagitty) {
    return DagittyText.parse(dagitty).fingerprint();
  }
}
