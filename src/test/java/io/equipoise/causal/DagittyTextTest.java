package io.equipoise.causal;

import static io.equipoise.causal.CausalGraphTest.assertFault;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    assertEquals(Set.of("x.1", "z"), DagittyText.parse("dag{x.1->y<-z}").parents("y"));
  }

  /** A mark that became an isolated node would say that X has no effect on Y. */
  @Test
  void whatIsNoArrowIsRefused() {
    for (String arrow : List.of("\u2192", "\u2013>", "~>", "@->", "\u2014", "=>", "|->")) {
      GraphException refusal =
          assertThrows(
              GraphException.class, () -> DagittyText.parse("dag { X " + arrow + " Y }"), arrow);
      assertTrue(refusal.getMessage().startsWith("line 1, column "), refusal.getMessage());
      assertTrue(refusal.getMessage().contains("write ->, <- or <->"), refusal.getMessage());
    }
    assertFault(
        "line 1, column 9: '\u2192' is no edge and no name; write ->, <- or <->, and put other"
            + " names in quotes",
        () -> DagittyText.parse("dag { X \u2192 Y }"));
    assertFault(
        "line 1, column 9: '-' is no edge and no name; write ->, <- or <->, and put other names"
            + " in quotes",
        () -> DagittyText.parse("dag { X - > Y }"));
    assertFault(
        "line 1, column 11: '|' is no edge and no name; write ->, <- or <->, and put other names"
            + " in quotes",
        () -> DagittyText.parse("dag { X ->| Y }"));
    for (String text : List.of("X Y", "X o-> Y", "X -> Y Z", "Z X -> Y", "X -Y", "X \"-\" Y")) {
      assertThrows(GraphException.class, () -> DagittyText.parse("dag { " + text + " }"), text);
    }
    assertEquals(List.of("X", "Y"), DagittyText.parse("dag { X; Y }").nodes());
    assertEquals(List.of("X", "Y"), DagittyText.parse("DAG {\nX\nY\n}").nodes());
  }

  @Test
  void aMarkCountsWithItsValueAndInShort() {
    for (String mark : List.of("latent=true", "latent=\"1\"", "l", "u=1", "unobserved")) {
      String text = "dag { U [pos=\"1,2\"; " + mark + "] U -> X }";
      assertEquals(Set.of("U"), DagittyText.parse(text).latents(), mark);
    }
    for (String mark : List.of("selected=\"1\"", "s", "s=1")) {
      String text = "dag { X -> S; S [" + mark + "] }";
      assertEquals(Optional.of("S"), DagittyText.parse(text).selection(), mark);
    }
    for (String mark : List.of("latent=false", "Latent=true", "hidden=1", "adjusted", "a=1")) {
      assertThrows(
          GraphException.class, () -> DagittyText.parse("dag { U [" + mark + "] U -> X }"), mark);
    }
  }

  @Test
  void syntaxErrorsSayWhereAndWhatWasExpected() {
    assertFault(
        "line 1, column 1: expected 'dag', found \"mag\"; write dag { A -> B }",
        () -> DagittyText.parse("mag {"));
    assertFault("line 1, column 1: expected 'dag', found the end", () -> DagittyText.parse(""));
    assertFault(
        "line 2, column 6: expected a node, found '}'", () -> DagittyText.parse("dag {\na -> }"));
    assertFault(
        "line 3, column 1: expected a node or a group, found the end",
        () -> DagittyText.parse("dag {\na -> b\n"));
    assertFault(
        "line 1, column 9: expected an edge after \"a\": write ->, <- or <->, found '--'",
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
        "line 1, column 10: expected latent, selected, exposure, outcome or KEY=VALUE with one of"
            + " [beta, color, comment, eps, label, pos, shape, style, weight], found \"latnet\"",
        () -> DagittyText.parse("dag { U [latnet] }"));
    assertFault(
        "line 1, column 15: expected KEY=VALUE with one of [beta, color, comment, eps, label, pos,"
            + " shape, style, weight], found \"latent\"",
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
        "line 1, column 23: node \"T\" is a second selection node; remove this mark",
        () -> DagittyText.parse("dag { S [selected] T [selected] }"));
    assertFault(
        "line 1, column 23: node \"S\" is both latent and selected; remove this mark",
        () -> DagittyText.parse("dag { S [selected] S [latent] }"));
  }

  @Test
  void aCycleIsRefused() {
    assertFault(
        "line 2, column 7: directed cycle: a -> b -> a; remove or turn one of these edges",
        () -> DagittyText.parse("dag { a -> {b c}\n{b d} -> a\nd -> c }"));
    assertFault(
        "line 1, column 14: directed cycle: a -> b -> a; remove or turn one of these edges",
        () -> DagittyText.parse("dag { a <- b <- a }"));
  }

  @Test
  void manyEdgesInAShortTextStayBounded() {
    assertFault(
        "line 1, column 6066: node \"v1024\" is one more than 1024",
        () -> DagittyText.parse(manyNodes(1025)));
  }

  @Test
  void whatIsPrintedIsReadBackEqual() {
    RandomGraphs random = new RandomGraphs(20260101);
    List<String> strange =
        List.of(
            "a b", "dag", "x\"y", "x-1", "1", "->", "{", "latent", "#", "\u00e4_1", "/*", "a.b");
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
      text.append("; v").append(i);
    }
    return text.append(" }").toString();
  }
}
