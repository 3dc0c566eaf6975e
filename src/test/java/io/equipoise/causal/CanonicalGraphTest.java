package io.equipoise.causal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CanonicalGraphTest {

  @Test
  void theTextIsThis() {
    assertEquals(
        """
        admg 1
        node 1:A
        latent 1:C
        node 1:M
        node 1:R
        -> 1:A 1:M
        -> 1:C 1:R
        -> 1:M 1:R
        <-> 1:A 1:R
        """,
        text("dag { R <-> A A -> M M -> R C [latent] C -> R }"));
  }

  @Test
  void theOrderOfADeclarationDoesNotCount() {
    assertEquals(
        text("dag { A B C A -> B B -> C A <-> C }"), text("dag { C <-> A C B A B -> C A -> B }"));
  }

  @Test
  void everyEdgeAndMarkCounts() {
    List<String> others =
        List.of(
            "dag { A B C A -> B }",
            "dag { A B C B -> A }",
            "dag { A B C A <-> B }",
            "dag { A B C }",
            "dag { A B A -> B }",
            "dag { A B C [latent] A -> B }");
    for (String one : others) {
      for (String other : others) {
        if (!one.equals(other)) {
          assertNotEquals(text(one), text(other));
        }
      }
    }
  }

  private static String text(String dagitty) {
    return CanonicalGraph.text(DagittyText.parse(dagitty));
  }
}
