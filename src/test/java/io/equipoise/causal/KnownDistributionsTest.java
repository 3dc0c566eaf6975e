package io.equipoise.causal;

import static io.equipoise.causal.CptTest.assertFault;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownDistributionsTest {
  private static final double TEST_TOLERANCE = 1e-12;

  private static final Variable X = new Variable("X", List.of("0", "1"));
  private static final Variable M = new Variable("M", List.of("a", "b", "c"));
  private static final Variable N = new Variable("N", List.of("lo", "hi"));
  private static final Cpt M_OF_X = new Cpt(M, List.of(X), new double[] {.2, .3, .5, .6, .4, 0});
  private static final Cpt N_OF_M = new Cpt(N, List.of(M), new double[] {.1, .9, .5, .5, 1, 0});

  private final KnownDistributions known = KnownDistributions.of(List.of(N_OF_M, M_OF_X));

  @Test
  void mediatorsAreSummedOut() {
    assertArrayEquals(
        new double[] {.02 + .15 + .5, .18 + .15},
        known.conditional(List.of("N"), Map.of("X", 0)),
        TEST_TOLERANCE);
  }

  @Test
  void theFirstTargetIsTheSlowest() {
    assertArrayEquals(
        new double[] {.06, .2, 0, .54, .2, 0},
        known.conditional(List.of("N", "M"), Map.of("X", 1)),
        TEST_TOLERANCE);
    assertArrayEquals(
        new double[] {.06, .54, .2, .2, 0, 0},
        known.conditional(List.of("M", "N"), Map.of("X", 1)),
        TEST_TOLERANCE);
  }

  @Test
  void aHeldVariableNeedsNoTableAndCutsOffItsCauses() {
    assertArrayEquals(
        new double[] {.5, .5}, known.conditional(List.of("N"), Map.of("M", 1)), TEST_TOLERANCE);
    assertArrayEquals(
        new double[] {.5, .5},
        known.conditional(List.of("N"), Map.of("M", 1, "stranger", 7)),
        TEST_TOLERANCE);
    assertArrayEquals(new double[] {1}, known.conditional(List.of(), Map.of()), 0);
  }

  @Test
  void aMissingTableIsNamed() {
    assertFault(
        "the distribution of \"X\" is not known, which that of [N] given [] needs",
        () -> known.conditional(List.of("N"), Map.of()));
  }

  @Test
  void questionsThatMakeNoSenseAreRefused() {
    assertFault(
        "\"X\" has no level number 2", () -> known.conditional(List.of("N"), Map.of("X", 2)));
    assertFault(
        "\"N\" is both a target and another variable",
        () -> known.conditional(List.of("N"), Map.of("N", 1)));
    assertFault(
        "1 variables are held, got 0 levels",
        () -> known.query(List.of("N"), List.of("X")).distribution(new int[] {}));
  }

  @Test
  void tablesMustAgree() {
    Variable otherX = new Variable("X", List.of("1", "0"));
    assertFault(
        "P(X) gives \"X\" the levels [1, 0], before it had [0, 1]",
        () ->
            KnownDistributions.of(
                List.of(M_OF_X, new Cpt(otherX, List.of(), new double[] {1, 0}))));
    assertFault(
        "two tables for one variable: P(M | X) and P(M)",
        () ->
            KnownDistributions.of(List.of(M_OF_X, new Cpt(M, List.of(), new double[] {1, 0, 0}))));
    assertThrows(
        GraphException.class,
        () ->
            KnownDistributions.of(
                List.of(M_OF_X, new Cpt(X, List.of(M), new double[] {1, 0, 1, 0, 1, 0}))));
    assertEquals(Optional.of(M_OF_X), known.cpt("M"));
    assertEquals(List.of("N", "M", "X"), known.graph().nodes());
  }

  /** The oracle adds up the full truncated factorization over every joint level of everything. */
  @Test
  void theAnswerAgreesWithTheFullTruncatedFactorization() {
    RandomGraphs random = new RandomGraphs(20260105);
    for (int round = 0; round < 1500; round++) {
      CausalGraph graph = random.graph(2 + random.upTo(5), 0.5, 0);
      List<Cpt> cpts = new ArrayList<>(randomTables(graph, random).values());
      KnownDistributions network = KnownDistributions.of(cpts);
      List<String> nodes = random.shuffled(graph.nodes());
      List<String> targets = nodes.subList(0, 1 + random.upTo(2));
      Map<String, Integer> held = new HashMap<>();
      for (String name : random.some(nodes.subList(targets.size(), nodes.size()), 0.4)) {
        held.put(name, random.upTo(network.variable(name).size()));
      }
      assertArrayEquals(
          naive(network, targets, held), network.conditional(targets, held), TEST_TOLERANCE);
    }
  }

  private static Map<String, Cpt> randomTables(CausalGraph graph, RandomGraphs random) {
    Map<String, Variable> variables = new LinkedHashMap<>();
    for (String node : graph.nodes()) {
      List<String> levels = List.of("p", "q", "r").subList(0, 1 + random.upTo(3));
      variables.put(node, new Variable(node, levels));
    }
    Map<String, Cpt> cpts = new LinkedHashMap<>();
    for (Variable child : variables.values()) {
      List<Variable> parents =
          random.shuffled(List.copyOf(graph.parents(child.name()))).stream()
              .map(variables::get)
              .toList();
      double[] table = new double[(int) Cpt.cells(child, parents)];
      for (int from = 0; from < table.length; from += child.size()) {
        double left = 1;
        for (int level = 0; level + 1 < child.size(); level++) {
          table[from + level] = random.upTo(4) == 0 ? 0 : left * random.uniform();
          left -= table[from + level];
        }
        table[from + child.size() - 1] = left;
      }
      cpts.put(child.name(), new Cpt(child, parents, table));
    }
    return cpts;
  }

  private static double[] naive(
      KnownDistributions network, List<String> targets, Map<String, Integer> held) {
    List<Map<String, Integer>> worlds = List.of(Map.of());
    for (Variable variable : network.variables()) {
      List<Map<String, Integer>> longer = new ArrayList<>();
      for (Map<String, Integer> world : worlds) {
        for (int level = 0; level < variable.size(); level++) {
          if (level == held.getOrDefault(variable.name(), level)) {
            Map<String, Integer> next = new HashMap<>(world);
            next.put(variable.name(), level);
            longer.add(next);
          }
        }
      }
      worlds = longer;
    }
    int cells =
        targets.stream().mapToInt(t -> network.variable(t).size()).reduce(1, (a, b) -> a * b);
    double[] answer = new double[cells];
    for (Map<String, Integer> world : worlds) {
      double p = 1;
      for (Variable variable : network.variables()) {
        Cpt cpt = network.cpt(variable.name()).orElseThrow();
        int[] parents = cpt.parents().stream().mapToInt(v -> world.get(v.name())).toArray();
        p *=
            held.containsKey(variable.name())
                ? 1
                : cpt.probability(parents, world.get(variable.name()));
      }
      int cell = 0;
      for (String target : targets) {
        cell = cell * network.variable(target).size() + world.get(target);
      }
      answer[cell] += p;
    }
    return answer;
  }
}
