package io.equipoise.causal;

import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.ObservedValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A random small graph with random binary tables, all of it summed out exactly; an oracle that
 * shares no code with what it checks. Every bidirected edge has a fair hidden cause of its own.
 */
public final class RandomModel {
  private final CausalGraph graph;
  private final List<int[]> causes = new ArrayList<>();
  private final List<double[]> tables = new ArrayList<>();
  private final int hidden;

  private RandomModel(CausalGraph graph, SplittableRandom random) {
    this.graph = graph;
    List<List<Integer>> causesOf = new ArrayList<>();
    for (String node : graph.nodes()) {
      causesOf.add(new ArrayList<>(graph.parents(node).stream().map(graph::indexOf).toList()));
    }
    int latent = graph.size();
    for (String node : graph.nodes()) {
      for (String sibling : graph.siblings(node)) {
        if (graph.indexOf(node) < graph.indexOf(sibling)) {
          causesOf.get(graph.indexOf(node)).add(latent);
          causesOf.get(graph.indexOf(sibling)).add(latent++);
        }
      }
    }
    hidden = latent - graph.size();
    for (List<Integer> of : causesOf) {
      causes.add(of.stream().mapToInt(it -> it).toArray());
      double[] table = new double[1 << of.size()];
      for (int row = 0; row < table.length; row++) {
        table[row] = 0.05 + 0.9 * random.nextDouble();
      }
      tables.add(table);
    }
  }

  public static RandomModel of(CausalGraph graph, SplittableRandom random) {
    return new RandomModel(graph, random);
  }

  /** Draws 3 to 5 observed nodes, at most 3 bidirected edges, and S if asked for. */
  public static CausalGraph graph(SplittableRandom random, boolean hasSelection) {
    int observed = 3 + random.nextInt(3);
    GraphBuilder graph = CausalGraph.builder();
    for (int i = 0; i < observed; i++) {
      graph.node("V" + i);
    }
    double density = 0.25 + 0.35 * random.nextDouble();
    for (int i = 0; i < observed; i++) {
      for (int j = i + 1; j < observed; j++) {
        if (random.nextDouble() < density) {
          graph.directed("V" + i, "V" + j);
        }
      }
    }
    int bidirected = random.nextInt(4);
    for (int k = 0; k < bidirected; k++) {
      int one = random.nextInt(observed);
      int other = random.nextInt(observed);
      if (one != other) {
        graph.bidirected("V" + one, "V" + other);
      }
    }
    if (hasSelection) {
      graph.selection("S");
      int causes = 1 + random.nextInt(2);
      for (int k = 0; k < causes; k++) {
        graph.directed("V" + random.nextInt(observed), "S");
      }
      if (random.nextInt(6) == 0) {
        graph.bidirected("V" + random.nextInt(observed), "S");
      }
    }
    return graph.build();
  }

  public CausalGraph graph() {
    return graph;
  }

  /** Returns P(v), or P(v | S=1) if the graph has a selection node. */
  public ObservedValues evidence() {
    ContingencyTable table = table(new ArrayList<>(graph.observed()), Map.of());
    return graph.selection().isPresent()
        ? ObservedValues.selected(table)
        : ObservedValues.unselected(table);
  }

  /** Returns P(names), of everyone. */
  public ContingencyTable census(Collection<String> names) {
    return weights(List.copyOf(names), Map.of(), false);
  }

  /** Returns P(y | do, given) in the population, all three as levels by name. */
  public double truth(Map<String, Integer> y, Map<String, Integer> held, Map<String, Integer> c) {
    double joint = 0;
    double context = 0;
    for (int world = 0; world < 1 << (graph.size() + hidden); world++) {
      if (agrees(world, held) && agrees(world, c)) {
        double p = probability(world, held);
        context += p;
        joint += agrees(world, y) ? p : 0;
      }
    }
    return joint / context;
  }

  private ContingencyTable table(List<String> names, Map<String, Integer> held) {
    return weights(names, held, graph.selection().isPresent());
  }

  private ContingencyTable weights(
      List<String> names, Map<String, Integer> held, boolean isSelected) {
    double[] weights = new double[1 << names.size()];
    double total = 0;
    for (int world = 0; world < 1 << (graph.size() + hidden); world++) {
      if (!isSelected || level(world, graph.selection().orElseThrow()) == 1) {
        int code = 0;
        for (String name : names) {
          code = 2 * code + level(world, name);
        }
        double p = probability(world, held);
        weights[code] += p;
        total += p;
      }
    }
    for (int code = 0; code < weights.length; code++) {
      weights[code] /= total;
    }
    List<Variable> variables =
        names.stream().map(name -> new Variable(name, List.of("0", "1"))).toList();
    return ContingencyTable.dense(variables, weights);
  }

  private double probability(int world, Map<String, Integer> held) {
    double p = 1.0 / (1 << hidden);
    for (int node = 0; node < graph.size(); node++) {
      if (!held.containsKey(graph.name(node))) {
        int row = 0;
        for (int cause : causes.get(node)) {
          row = 2 * row + (world >> cause & 1);
        }
        double one = tables.get(node)[row];
        p *= (world >> node & 1) == 1 ? one : 1 - one;
      }
    }
    return p;
  }

  private boolean agrees(int world, Map<String, Integer> levels) {
    return levels.entrySet().stream().allMatch(it -> level(world, it.getKey()) == it.getValue());
  }

  private int level(int world, String name) {
    return world >> graph.indexOf(name) & 1;
  }
}
