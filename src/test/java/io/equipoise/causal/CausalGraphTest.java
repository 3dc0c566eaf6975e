package io.equipoise.causal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class CausalGraphTest {
  private final CausalGraph graph =
      DagittyText.parse("dag { Y; U [latent]; X -> M -> Y; U -> X; M <-> Y; Z }");

  @Test
  void neighborsAreToldApartByTheirEdges() {
    assertEquals(List.of("Y", "U", "X", "M", "Z"), graph.nodes());
    assertEquals(Set.of("U"), graph.latents());
    assertEquals(Set.of("M"), graph.parents("Y"));
    assertEquals(Set.of("M"), graph.siblings("Y"));
    assertEquals(Set.of("Y"), graph.siblings("M"));
    assertEquals(Set.of("M"), graph.children("X"));
    assertTrue(graph.contains("Z"));
  }

  @Test
  void aNodeIsItsOwnAncestorAndDescendantAndBidirectedEdgesMakeNone() {
    assertEquals(Set.of("Y", "M", "X", "U"), graph.ancestors(List.of("Y")));
    assertEquals(Set.of("M", "X", "U", "Z"), graph.ancestors(List.of("M", "Z")));
    assertEquals(Set.of("X", "M", "Y"), graph.descendants(List.of("X")));
  }

  @Test
  void theTopologicalOrderTakesTheFirstDeclaredOfSeveral() {
    assertEquals(List.of("U", "X", "M", "Y", "Z"), graph.topologicalOrder());
    assertEquals(
        List.of("B", "C", "A"), DagittyText.parse("dag { A; B; C; C -> A }").topologicalOrder());
  }

  @Test
  void graphsAreEqualByNodesMarksAndEdges() {
    CausalGraph same =
        DagittyText.parse("dag { Y; U; X; M; Z; U [latent] U -> X -> M -> Y <-> M }");
    assertEquals(graph, same);
    assertEquals(graph.hashCode(), same.hashCode());
    assertNotEquals(graph, DagittyText.parse("dag { Y; U; X; M; Z; U -> X -> M -> Y <-> M }"));
    assertNotEquals(graph, DagittyText.parse("dag { Y; U [latent]; X -> M -> Y; U -> X; Z }"));
  }

  @Test
  void faultsNameTheirPlace() {
    GraphBuilder ab = CausalGraph.builder().node("a").node("b").node("c");
    assertFault("edge a -> d: no node named \"d\"", () -> ab.directed("a", "d"));
    assertFault("edge a -> a is a self loop", () -> ab.directed("a", "a"));
    assertFault("edge b <-> b is a self loop", () -> ab.bidirected("b", "b"));
    assertFault("node \"a\" is declared twice", () -> ab.node("a"));
    assertFault("a node has a blank name", () -> ab.node(" "));
    assertFault("no node named \"q\" in the graph", () -> graph.parents("q"));
    assertFault("no node named \"q\" in the graph", () -> graph.ancestors(List.of("X", "q")));
  }

  @Test
  void aDirectedCycleIsRefusedAndPrinted() {
    GraphBuilder cyclic = CausalGraph.builder().node("root").node("a").node("b").node("c");
    cyclic.directed("root", "a").directed("a", "b").directed("b", "c").directed("c", "a");
    assertFault(
        "directed cycle: a -> b -> c -> a; remove or turn one of these edges", cyclic::build);
  }

  @Test
  void theCycleIsPrintedWithoutWhatHangsOffIt() {
    GraphBuilder cyclic = CausalGraph.builder().node("tail").node("a").node("b");
    cyclic.directed("a", "b").directed("b", "a").directed("a", "tail");
    assertFault("directed cycle: a -> b -> a; remove or turn one of these edges", cyclic::build);
  }

  static void assertFault(String message, Executable action) {
    assertEquals(message, assertThrows(GraphException.class, action).getMessage());
  }
}
