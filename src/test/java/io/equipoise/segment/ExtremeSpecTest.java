package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segmentspec.SpecException;
import org.junit.jupiter.api.Test;

/** Specs that are sound part by part, and whose policy cannot compute with the whole. */
class ExtremeSpecTest {
  /** More than 2^28 joint levels with the mediator itself. */
  private static final int CAUSES = 29;

  @Test
  void aSumOverTooManyJointLevelsIsAFaultOfTheSpec() {
    SpecException refused =
        assertThrows(SpecException.class, () -> TestSpecs.compiled(withChain(CAUSES)));
    assertEquals("distributions", refused.faults().get(0).place(), refused.getMessage());
    assertTrue(refused.faults().get(0).given().contains("more than 2^28 joint levels"));
  }

  /** Puts a chain of hidden steps between the action and the mediator of W. */
  private static String withChain(int steps) {
    StringBuilder variables = new StringBuilder();
    StringBuilder tables = new StringBuilder();
    StringBuilder edges = new StringBuilder("A");
    String before = "A";
    String rows = "[left, 0.9, 0.1], [right, 0.2, 0.8]";
    for (int step = 1; step <= steps; step++) {
      String name = "Z" + step;
      variables.append("  %s: {role: mediator, levels: [\"0\", \"1\"]}\n".formatted(name));
      tables.append("    %s: {given: [%s], rows: [%s]}\n".formatted(name, before, rows));
      edges.append(" -> ").append(name);
      before = name;
      rows = "[\"0\", 0.9, 0.1], [\"1\", 0.2, 0.8]";
    }
    return TestSpecs.dUcb()
        .replace("  R: {role", variables + "  R: {role")
        .replace("{S A} -> M;", "{S A} -> M; " + edges + " -> R;")
        .replace("    M:\n", tables + "    M:\n")
        .replace("{name: d-ucb}", "{name: d-ucb, separating-set: [X, M, %s]}".formatted(before));
  }
}
