package io.equipoise.causal;

import static io.equipoise.causal.CptTest.assertFault;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BifFormatTest {
  private static final String AB =
      """
      network n { }
      variable a { type discrete [ 2 ] { x, y }; }
      variable b { type discrete [ 2 ] { x, y }; }
      """;

  @Test
  void aNetworkIsRead() throws IOException {
    KnownDistributions orchard = BifFormat.read(orchard());
    assertEquals(List.of("sand", "rich loam", "clay"), orchard.variable("soil").levels());
    assertEquals(Set.of("frost", "soil"), orchard.graph().parents("fruit"));
    assertArrayEquals(
        new double[] {.5, .3, .2, .2, .2, .6}, orchard.cpt("soil").orElseThrow().table());
    assertArrayEquals(
        new double[] {.9, .1, .9, .1, .9, .1, .4, .6, .01, .99, .9, .1},
        orchard.cpt("fruit").orElseThrow().table());
  }

  @Test
  void whatIsWrittenIsReadBackEqual() throws IOException {
    KnownDistributions orchard = BifFormat.read(orchard());
    String written = BifWriter.write("my orchard", orchard);
    KnownDistributions again = BifFormat.read(written);
    assertEquals(List.copyOf(orchard.variables()), List.copyOf(again.variables()));
    for (Variable variable : orchard.variables()) {
      assertEquals(orchard.cpt(variable.name()), again.cpt(variable.name()));
    }
    assertEquals(written, BifWriter.write("my orchard", again));
  }

  @Test
  void faultsSayWhereTheyAre() {
    assertFault(
        "line 1, column 1: expected 'network', 'variable' or 'probability', found \"net\"",
        () -> BifFormat.read("net"));
    assertFault(
        "line 4, column 19: no earlier variable block for \"c\"",
        () -> BifFormat.read(AB + "probability ( b | c ) { }"));
    assertFault(
        "line 4, column 31: expected probability 2 of 2, found ';'",
        () -> BifFormat.read(AB + "probability ( a ) { table 0.5 ; }"));
    assertFault(
        "line 4, column 27: expected a probability between 0 and 1, found NaN",
        () -> BifFormat.read(AB + "probability ( a ) { table NaN, 1; }"));
    assertFault(
        "line 4, column 36: expected ';', found \"0.2\"",
        () -> BifFormat.read(AB + "probability ( a ) { table 0.4, 0.4 0.2; }"));
    assertFault(
        "line 5, column 2: variable \"a\" has no level \"z\", only [x, y]",
        () -> BifFormat.read(AB + "probability ( b | a ) {\n(z) 1, 0; }"));
    assertFault(
        "line 4, column 35: this row is given twice",
        () -> BifFormat.read(AB + "probability ( b | a ) { (x) 1, 0; (x) 1, 0; }"));
    assertFault(
        "line 4, column 43: the default row is given twice",
        () -> BifFormat.read(AB + "probability ( b | a ) { default 1, 0 ;    default 0, 1; }"));
    assertFault(
        "line 2, column 1: a second network block; give each network a file",
        () -> BifFormat.read("network n { }\nnetwork m { }"));
    assertFault(
        "line 2, column 1: the levels of this variable are given twice",
        () ->
            BifFormat.read("variable a { type discrete [2] { x, y };\ntype discrete [1] { z }; }"));
    assertFault(
        "line 4, column 1: P(b | a) has no row (y); give every row, or default",
        () -> BifFormat.read(AB + "probability ( b | a ) { (x) 1, 0; }"));
    assertFault(
        "line 4, column 1: P(a) has no probabilities; give them as table",
        () -> BifFormat.read(AB + "probability ( a ) { }"));
    assertFault(
        "line 4, column 1: P(a) sums to 0.9, not to 1",
        () -> BifFormat.read(AB + "probability ( a ) { table 0.5, 0.4; }"));
    assertFault(
        "line 1, column 30: declares 3 levels, lists 2",
        () -> BifFormat.read("variable a { type discrete [ 3 ] { x, y }; }"));
    assertFault(
        "line 4, column 35: directed cycle: a -> b -> a; remove or turn one of these edges",
        () ->
            BifFormat.read(
                AB + "probability (a|b) {default 1, 0;} probability (b|a) {default 1, 0;}"));
  }

  @Test
  void parentsMayFollowWithoutABar() {
    String rows = ") { default 1, 0; }";
    var bar = BifFormat.read(AB + "probability (b | a" + rows).cpt("b");
    assertEquals(bar, BifFormat.read(AB + "probability (b a" + rows).cpt("b"));
    assertEquals(bar, BifFormat.read(AB + "probability (b, a" + rows).cpt("b"));
  }

  @Test
  void roundedRowsAreReadAsPrintedIfTheCallerAllowsIt() {
    String rounded = AB + "probability ( a ) { table 0.50000001, 0.5; }";
    assertThrows(DistributionException.class, () -> BifFormat.read(rounded));
    assertArrayEquals(
        new double[] {.50000001, .5}, BifFormat.read(rounded, 1e-7).cpt("a").orElseThrow().table());
  }

  @Test
  void aTableTooLargeIsRefusedBeforeItIsAllocated() {
    StringBuilder text = new StringBuilder();
    StringBuilder parents = new StringBuilder();
    for (int i = 0; i < 24; i++) {
      text.append("variable v").append(i).append(" { type discrete [2] { x y }; }\n");
      parents.append(" v").append(i);
    }
    text.append("probability (").append(parents).append(") { default 1 0; }");
    assertFault(
        "line 25, column 1: more than 4194304 probabilities in one network",
        () -> BifFormat.read(text.toString()));
  }

  @Test
  void everyPrefixOfANetworkEndsInANetworkOrALocatedFault() throws IOException {
    String text = orchard();
    for (int end = 0; end < text.length(); end++) {
      String prefix = text.substring(0, end);
      try {
        BifFormat.read(prefix);
      } catch (DistributionException fault) {
        assertTrue(fault.getMessage().startsWith("line "), fault.getMessage());
      }
    }
    assertThrows(DistributionException.class, () -> BifFormat.read(text + "}"));
  }

  private static String orchard() throws IOException {
    try (InputStream in = BifFormatTest.class.getResourceAsStream("/causal/orchard.bif")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
