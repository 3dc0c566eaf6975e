package io.equipoise.causal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Builds the twin network of an intervention (Balke and Pearl 1994): the observed graph, and the
 * counterfactual world in which some variables are set to other values.
 *
 * <p>A descendant of a set variable has a copy in the counterfactual world, named with an asterisk.
 * Both copies have the same exogenous causes: their own noise, and every hidden common cause that a
 * bidirected edge represents. All other variables are the same in both worlds. The set variables
 * are constants of the counterfactual world, so no edge leaves them there. Separation in this graph
 * implies independence between the worlds. Immutable.
 */
public final class TwinNetwork {
  private final CausalGraph network;
  private final Map<String, String> copies;

  private TwinNetwork(CausalGraph network, Map<String, String> copies) {
    this.network = network;
    this.copies = copies;
  }

  /** Returns the network of a graph whose counterfactual world sets {@code set}. */
  public static TwinNetwork of(CausalGraph graph, Collection<String> set) {
    Map<String, String> copies = new LinkedHashMap<>();
    for (String node : graph.descendants(set)) {
      if (!set.contains(node)) {
        copies.put(node, copyName(graph, node));
      }
    }
    GraphBuilder network = CausalGraph.builder();
    graph.nodes().forEach(network::node);
    copies.values().forEach(network::node);
    for (String node : graph.nodes()) {
      List<String> worlds = worlds(node, copies);
      graph.children(node).forEach(child -> network.directed(node, child));
      if (worlds.size() == 2) {
        network.bidirected(node, worlds.get(1));
      }
      for (String sibling : graph.siblings(node)) {
        if (graph.indexOf(node) < graph.indexOf(sibling)) {
          for (String one : worlds) {
            worlds(sibling, copies).forEach(other -> network.bidirected(one, other));
          }
        }
      }
    }
    for (Map.Entry<String, String> copied : copies.entrySet()) {
      for (String parent : graph.parents(copied.getKey())) {
        if (!set.contains(parent)) {
          network.directed(copies.getOrDefault(parent, parent), copied.getValue());
        }
      }
    }
    return new TwinNetwork(network.build(), copies);
  }

  private static String copyName(CausalGraph graph, String node) {
    String name = node + "*";
    while (graph.contains(name)) {
      name += "*";
    }
    return name;
  }

  private static List<String> worlds(String node, Map<String, String> copies) {
    String copy = copies.get(node);
    return copy == null ? List.of(node) : List.of(node, copy);
  }

  /**
   * Returns a path that makes a counterfactual variable depend on the observed ones; empty if they
   * are independent.
   *
   * @param target in the counterfactual world
   * @param observed in the factual world
   * @param given known values in the factual world
   * @param givenThere known values in the counterfactual world
   */
  public Optional<String> openPath(
      String target, Set<String> observed, Set<String> given, Set<String> givenThere) {
    List<String> known = new ArrayList<>(given);
    givenThere.forEach(node -> known.add(copies.getOrDefault(node, node)));
    List<String> there = List.of(copies.getOrDefault(target, target));
    return Separation.openPath(network, observed, there, known);
  }
}
