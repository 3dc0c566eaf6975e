package io.equipoise.local.bench;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Separation;
import io.equipoise.causal.Separators;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Times separation and minimal separators, ours and naive, and sees that they agree. */
final class SeparationBench {
  /** The naive search for a minimal separator is quadratic: half an hour at 10,000 nodes. */
  private static final int LARGEST_NAIVE_MINIMAL = 1000;

  private static final double GIVEN = 0.1;
  private static final int REACH = 50;

  private final SplittableRandom random;
  private final int runs;

  SeparationBench(long seed, int runs) {
    this.random = new SplittableRandom(seed);
    this.runs = runs;
  }

  void warmUp() {
    for (int i = 0; i < 20; i++) {
      measured(300);
    }
  }

  Map<String, Object> measured(int nodes) {
    CausalGraph graph = new SparseGraphs(random, REACH).draw(nodes);
    NaiveSeparation naive = new NaiveSeparation(graph);
    Stopwatch separated = new Stopwatch(runs);
    Stopwatch naiveSeparated = new Stopwatch(runs);
    Stopwatch minimal = new Stopwatch(runs);
    Stopwatch naiveMinimal = new Stopwatch(1);
    boolean hasNaive = nodes <= LARGEST_NAIVE_MINIMAL;
    for (int run = 0; run < runs; run++) {
      String x = "V" + (nodes / 3 + run);
      String y = "V" + (nodes - 1 - run);
      Set<String> z = given(graph, x, y);
      boolean[] answers = new boolean[2];
      separated.time(() -> answers[0] = Separation.separated(graph, List.of(x), List.of(y), z));
      naiveSeparated.time(() -> answers[1] = naive.separated(x, y, z));
      require(answers[0] == answers[1], "the two disagree on " + x + ", " + y + " in " + nodes);
      Separators separators = Separators.between(graph, List.of(x), List.of(y));
      minimal.time(
          () -> require(separators.minimal().isPresent(), "no separator of " + x + ", " + y));
      if (hasNaive && run == 0) {
        naiveMinimal.time(() -> require(!naive.minimal(x, y).isEmpty(), "no naive separator"));
      }
    }
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("nodes", nodes);
    row.put("edges", edges(graph));
    told(row, "separated", separated.quantile(.5), naiveSeparated.quantile(.5));
    told(row, "minimal", minimal.quantile(.5), hasNaive ? naiveMinimal.quantile(.5) : Double.NaN);
    return row;
  }

  /** Returns the exponents k of time = c nodes^k between the two largest graphs. */
  static Map<String, Object> growth(List<Map<String, Object>> rows) {
    Map<String, Object> growth = new LinkedHashMap<>();
    if (rows.size() > 1) {
      Map<String, Object> small = rows.get(rows.size() - 2);
      Map<String, Object> large = rows.get(rows.size() - 1);
      for (String what : List.of("separated_ms", "minimal_ms")) {
        double times = number(large, what) / number(small, what);
        double nodes = number(large, "nodes") / number(small, "nodes");
        growth.put(what.replace("_ms", "_exponent"), Math.log(times) / Math.log(nodes));
      }
    }
    return growth;
  }

  private static double number(Map<String, Object> row, String field) {
    return row.get(field) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static void told(Map<String, Object> row, String what, double ours, double naive) {
    row.put(what + "_ms", ours);
    row.put("naive_" + what + "_ms", Double.isNaN(naive) ? null : naive);
    row.put(what + "_ratio", Double.isNaN(naive) ? null : naive / ours);
  }

  private Set<String> given(CausalGraph graph, String x, String y) {
    Set<String> given = new HashSet<>();
    for (String node : graph.nodes()) {
      if (random.nextDouble() < GIVEN && !node.equals(x) && !node.equals(y)) {
        given.add(node);
      }
    }
    return given;
  }

  private static int edges(CausalGraph graph) {
    int ends = 0;
    for (String node : graph.nodes()) {
      ends += 2 * graph.parents(node).size() + graph.siblings(node).size();
    }
    return ends / 2;
  }

  private static void require(boolean isSo, String what) {
    if (!isSo) {
      throw new IllegalStateException(what);
    }
  }
}
