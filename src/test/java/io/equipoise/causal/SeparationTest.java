package io.equipoise.causal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SeparationTest {
  private static final double TEST_TOLERANCE = 1e-9;

  @Test
  void aColliderOpensWhenADescendantIsGiven() {
    CausalGraph graph = DagittyText.parse("dag { A -> C <- B; C -> D }");
    assertTrue(Separation.separated(graph, List.of("A"), List.of("B"), List.of()));
    assertFalse(Separation.separated(graph, List.of("A"), List.of("B"), List.of("D")));
    assertEquals(
        Optional.of("A -> C <- B"),
        Separation.openPath(graph, List.of("A"), List.of("B"), List.of("D")));
  }

  @Test
  void aNodeOnBothSidesIsConnectedUnlessItIsGiven() {
    CausalGraph graph = DagittyText.parse("dag { A; B }");
    assertFalse(Separation.separated(graph, List.of("A"), List.of("A", "B"), List.of()));
    assertTrue(Separation.separated(graph, List.of("A"), List.of("A", "B"), List.of("A")));
  }

  @Test
  void separationAgreesWithTheDefinitionAndTheOpenPathIsOne() {
    RandomGraphs random = new RandomGraphs(20260102);
    int rounds = Tier.count(1200, 6000);
    int separated = 0;
    int bent = 0;
    for (int round = 0; round < rounds; round++) {
      CausalGraph graph =
          random.graph(3 + random.upTo(5), 0.1 + 0.3 * random.uniform(), 0.25 * random.uniform());
      List<String> nodes = random.shuffled(graph.nodes());
      List<String> x = nodes.subList(0, 1 + random.upTo(2));
      List<String> y = nodes.subList(round % 10 == 0 ? 0 : x.size(), 1 + x.size());
      List<String> z = random.some(round % 5 == 0 ? nodes : without(nodes, x, y), 0.35);
      Set<String> open = PathOracle.openPaths(graph, x, y, z);
      Optional<String> path = Separation.openPath(graph, x, y, z);
      String question = graph + " x=" + x + " y=" + y + " z=" + z;
      assertEquals(open.isEmpty(), Separation.separated(graph, x, y, z), question);
      path.ifPresent(found -> assertTrue(open.contains(found), () -> found + " in " + question));
      separated += path.isEmpty() ? 1 : 0;
      bent += path.filter(found -> found.matches(".*> \\w+ <.*")).isPresent() ? 1 : 0;
    }
    assertTrue(
        separated > rounds / 6 && separated < rounds / 6 * 5, "both answers occur: " + separated);
    assertTrue(bent > rounds / 30, "paths through open colliders occur: " + bent);
  }

  @Test
  void theCheapestSeparatorCostsWhatBruteForceSays() {
    RandomGraphs random = new RandomGraphs(20260103);
    int rounds = Tier.count(600, 3000);
    int found = 0;
    for (int round = 0; round < rounds; round++) {
      CausalGraph graph = random.graph(4 + random.upTo(4), 0.35, 0.25 * random.uniform());
      List<String> nodes = random.shuffled(graph.nodes());
      List<String> x = nodes.subList(0, 1);
      List<String> y = nodes.subList(1, 2);
      List<String> others = nodes.subList(2, nodes.size());
      List<String> restrict = random.some(others, 0.8);
      List<String> include = random.some(restrict, 0.15);
      double[] costs = new double[graph.size()];
      for (int i = 0; i < costs.length; i++) {
        costs[i] = 0.5 + random.uniform();
      }
      OptionalDouble least = bruteForce(graph, x, y, costs, include, restrict);
      Optional<Set<String>> separator =
          Separators.between(graph, x, y)
              .including(include)
              .among(restrict)
              .cheapest(name -> costs[graph.indexOf(name)]);
      String question = graph + " x=" + x + " y=" + y + " I=" + include + " R=" + restrict;
      assertEquals(least.isPresent(), separator.isPresent(), question);
      if (separator.isPresent()) {
        List<String> z = List.copyOf(separator.get());
        assertTrue(z.containsAll(include) && restrict.containsAll(z), question);
        assertTrue(PathOracle.separated(graph, x, y, z), question);
        assertEquals(least.getAsDouble(), cost(graph, z, costs), TEST_TOLERANCE, question);
        found++;
      }
    }
    assertTrue(found > rounds / 6 && found < rounds / 30 * 29, "both answers occur: " + found);
  }

  @Test
  void includeOutsideRestrictHasNoSeparator() {
    CausalGraph graph = DagittyText.parse("dag { A -> M -> B }");
    assertEquals(
        Optional.empty(),
        Separators.between(graph, List.of("A"), List.of("B"))
            .including(List.of("M"))
            .among(List.of())
            .cheapest(name -> 1));
  }

  private static OptionalDouble bruteForce(
      CausalGraph graph,
      List<String> x,
      List<String> y,
      double[] costs,
      List<String> include,
      List<String> restrict) {
    return subsets(restrict).stream()
        .filter(z -> z.containsAll(include) && PathOracle.separated(graph, x, y, z))
        .mapToDouble(z -> cost(graph, z, costs))
        .min();
  }

  private static double cost(CausalGraph graph, List<String> z, double[] costs) {
    return z.stream().mapToDouble(name -> costs[graph.indexOf(name)]).sum();
  }

  private static List<String> without(List<String> nodes, List<String> x, List<String> y) {
    return nodes.stream().filter(node -> !x.contains(node) && !y.contains(node)).toList();
  }

  static List<List<String>> subsets(List<String> names) {
    List<List<String>> subsets = new ArrayList<>();
    for (int mask = 0; mask < 1 << names.size(); mask++) {
      List<String> subset = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        if ((mask & (1 << i)) != 0) {
          subset.add(names.get(i));
        }
      }
      subsets.add(subset);
    }
    return subsets;
  }
}
