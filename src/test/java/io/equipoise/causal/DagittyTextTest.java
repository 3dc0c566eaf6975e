package io.equipoise.causal;

import static io.equipoise.causal.CausalGraphTest.assertFault;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DagittyTextTest {
  @Test
  void aWholeDagittyPageIsRead() {
    CausalGraph graph =
        DagittyText.parse(
            """
            dag {
              bb="-5,-5,5,5"        # the window
              X [exposure,pos="-1.0,2"]
              Y [outcome,pos="1,2"] // what is paid
              U [latent] ; "a b" /* quoted,
              over lines */
              {X "a b"} -> M -> Y [beta=.3]
              X <- U -> Y
              M <-> Y
            }
            """);
    assertEquals(List.of("X", "Y", "U", "a b", "M"), graph.nodes());
    assertEquals(Set.of("U"), graph.latents());
    assertEquals(Set.of("X", "a b"), graph.parents("M"));
    assertEquals(Set.of("M", "U"), graph.parents("Y"));
    assertEquals(Set.of("Y"), graph.siblings("M"));
  }

  @Test
  void groupsMayStandOnBothSidesOfEveryArrow() {
    CausalGraph graph = DagittyText.parse("dag g { {a b} -> {c d} <- e <-> {a;b} }");
    assertEquals(Set.of("a", "b", "e"), graph.parents("d"));
    assertEquals(Set.of("a", "b"), graph.siblings("e"));
  }

  @Test
  void namesNextToArrowsNeedNoBlanks() {
    assertEquals(Set.of("x-1"), DagittyText.parse("dag{x-1->y<-z}").ancestors(List.of("x-1")));
    assertEquals(Set.of("x-1", "z"), DagittyText.parse("dag{x-1->y<-z}").parents("y"));
  }

  @Test
  void syntaxErrorsSayWhereAndWhatWasExpected() {
    assertFault(
        "line 1, column 1: expected 'dag', found \"mag\"", () -> DagittyText.parse("mag {"));
    assertFault("line 1, column 1: expected 'dag', found the end", () -> DagittyText.parse(""));
    assertFault(
        "line 2, column 6: expected a node, found '}'", () -> DagittyText.parse("dag {\na -> }"));
    assertFault(
        "line 3, column 1: expected a node or a group, found the end",
        () -> DagittyText.parse("dag {\na -> b\n"));
    assertFault(
        "line 1, column 9: expected a node or a group, found '--'",
        () -> DagittyText.parse("dag { a -- b }"));
    assertFault(
        "line 1, column 9: a self loop at \"a\"", () -> DagittyText.parse("dag { a <-> a }"));
    assertFault(
        "line 1, column 9: expected nothing after the closing '}', found \"x\"",
        () -> DagittyText.parse("dag { } x"));
    assertFault(
        "line 2, column 2: expected '\"' at the end of a quoted name, found the end",
        () -> DagittyText.parse("dag {\n \"a -> b }"));
    assertFault(
        "line 1, column 7: expected '*/' at the end of a comment, found the end",
        () -> DagittyText.parse("dag { /* a }"));
  }

  @Test
  void aMisspeltLatentMarkIsRefused() {
    assertFault(
        "line 1, column 10: expected latent, exposure, outcome, adjusted, selected or key=value,"
            + " found \"latnet\"",
        () -> DagittyText.parse("dag { U [latnet] }"));
    assertFault(
        "line 1, column 15: expected key=value, found \"latent\"",
        () -> DagittyText.parse("dag { U -> X [latent] }"));
  }

  @Test
  void theSelectionNodeIsMarkedOnceAndPrinted() {
    CausalGraph graph = DagittyText.parse("dag { X -> Y -> S; S [selected]; S [selected] }");
    assertEquals(Optional.of("S"), graph.selection());
    assertEquals(Set.of("X", "Y"), graph.observed());
    assertEquals("dag {\n  X\n  Y\n  S [selected]\n  X -> Y\n  Y -> S\n}\n", graph.toString());
    assertEquals(graph, DagittyText.parse(graph.toString()));
    assertFault(
        "node \"T\" is a second selection node",
        () -> DagittyText.parse("dag { S [selected] T [selected] }"));
    assertFault(
        "node \"S\" is both latent and selected",
        () -> DagittyText.parse("dag { S [selected] S [latent] }"));
  }

  @Test
  void aCycleIsRefused() {
    assertFault("directed cycle: a -> b -> a", () -> DagittyText.parse("dag { a -> b -> a }"));
  }

  @Test
  void manyEdgesInAShortTextStayBounded() {
    assertFault("node \"v1024\" is one more than 1024", () -> DagittyText.parse(manyNodes(1025)));
  }

  @Test
  void whatIsPrintedIsReadBackEqual() {
    RandomGraphs random = new RandomGraphs(20260101);
    List<String> strange =
        List.of("a b", "dag", "x\"y", "\\", "1", "->", "{", "latent", "#", "ä_1", "/*", "a.b");
    for (int round = 0; round < 2000; round++) {
      CausalGraph plain = random.graph(1 + random.upTo(8), 0.4, 0.2);
      List<String> names = random.shuffled(strange);
      GraphBuilder graph = CausalGraph.builder();
      for (int i = 0; i < plain.size(); i++) {
        graph = random.upTo(3) == 0 ? graph.latent(names.get(i)) : graph.node(names.get(i));
      }
      for (int i = 0; i < plain.size(); i++) {
        for (String child : plain.children(plain.name(i))) {
          graph.directed(names.get(i), names.get(plain.indexOf(child)));
        }
        for (String sibling : plain.siblings(plain.name(i))) {
          graph.bidirected(names.get(i), names.get(plain.indexOf(sibling)));
        }
      }
      CausalGraph built = graph.build();
      assertEquals(built, DagittyText.parse(DagittyText.print(built)), built::toString);
    }
  }

  private static String manyNodes(int nodes) {
    StringBuilder text = new StringBuilder("dag {");
    for (int i = 0; i < nodes; i++) {
      text.append(" v").append(i);
    }
    return text.append(" }").toString();
  }
}
