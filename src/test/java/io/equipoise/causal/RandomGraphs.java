package io.equipoise.causal;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Draws small graphs and sets of their nodes; all of it follows from one printed seed. */
final class RandomGraphs {
  private final SplittableRandom random;

  RandomGraphs(long seed) {
    System.out.println("random graphs from seed " + seed);
    random = new SplittableRandom(seed);
  }

  /** A graph on nodes declared in an order that has nothing to do with the edges. */
  CausalGraph graph(int nodes, double directed, double bidirected) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      names.add("V" + i);
    }
    GraphBuilder graph = CausalGraph.builder();
    names.forEach(graph::node);
    List<String> causalOrder = shuffled(names);
    for (int i = 0; i < nodes; i++) {
      for (int j = i + 1; j < nodes; j++) {
        if (random.nextDouble() < directed) {
          graph.directed(causalOrder.get(i), causalOrder.get(j));
        }
        if (random.nextDouble() < bidirected) {
          graph.bidirected(causalOrder.get(i), causalOrder.get(j));
        }
      }
    }
    return graph.build();
  }

  /** A sparse graph of any size: about {@code degree} directed edges a node, near in the order. */
  CausalGraph sparse(int nodes, double degree, double bidirected) {
    GraphBuilder graph = CausalGraph.builder();
    for (int i = 0; i < nodes; i++) {
      graph.node("V" + i);
    }
    for (int i = 1; i < nodes; i++) {
      for (int k = 0; k < degree; k++) {
        graph.directed("V" + Math.max(0, i - 1 - random.nextInt(50)), "V" + i);
      }
      if (random.nextDouble() < bidirected) {
        graph.bidirected("V" + Math.max(0, i - 1 - random.nextInt(50)), "V" + i);
      }
    }
    return graph.build();
  }

  int upTo(int bound) {
    return random.nextInt(bound);
  }

  double uniform() {
    return random.nextDouble();
  }

  List<String> shuffled(List<String> names) {
    List<String> left = new ArrayList<>(names);
    List<String> shuffled = new ArrayList<>();
    while (!left.isEmpty()) {
      shuffled.add(left.remove(random.nextInt(left.size())));
    }
    return shuffled;
  }

  /** Each name with the same chance, independently. */
  List<String> some(List<String> names, double share) {
    return names.stream().filter(name -> random.nextDouble() < share).toList();
  }
}
