package io.equipoise.lab.bench;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides d-separation by the textbook: keeps the ancestors, connects every district with its
 * parents, drops the directions, removes the separator, and checks what is still connected. Finds a
 * minimal separator by removing one node at a time.
 */
final class NaiveSeparation {
  private final CausalGraph graph;

  NaiveSeparation(CausalGraph graph) {
    this.graph = graph;
  }

  boolean separated(String x, String y, Set<String> z) {
    Set<String> asked = new HashSet<>(z);
    asked.add(x);
    asked.add(y);
    Map<String, Set<String>> moral = moral(graph.ancestors(asked));
    Set<String> seen = new HashSet<>(Set.of(x));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (String next : moral.get(open.pop())) {
        if (!z.contains(next) && seen.add(next)) {
          open.push(next);
        }
      }
    }
    return !seen.contains(y);
  }

  Set<String> minimal(String x, String y) {
    Set<String> z = new HashSet<>(graph.ancestors(List.of(x, y)));
    z.remove(x);
    z.remove(y);
    if (!separated(x, y, z)) {
      throw new GraphException(x + " and " + y + " have no separator");
    }
    for (String node : new ArrayList<>(z)) {
      z.remove(node);
      if (!separated(x, y, z)) {
        z.add(node);
      }
    }
    return z;
  }

  private Map<String, Set<String>> moral(Set<String> nodes) {
    Map<String, Set<String>> moral = new HashMap<>();
    nodes.forEach(node -> moral.put(node, new HashSet<>()));
    Set<String> done = new HashSet<>();
    for (String node : nodes) {
      if (!done.contains(node)) {
        Set<String> clique = district(node, nodes);
        done.addAll(clique);
        for (String member : List.copyOf(clique)) {
          clique.addAll(graph.parents(member));
        }
        for (String member : clique) {
          moral.get(member).addAll(clique);
        }
      }
    }
    return moral;
  }

  private Set<String> district(String start, Set<String> nodes) {
    Set<String> district = new HashSet<>(Set.of(start));
    Deque<String> open = new ArrayDeque<>(district);
    while (!open.isEmpty()) {
      for (String sibling : graph.siblings(open.pop())) {
        if (nodes.contains(sibling) && district.add(sibling)) {
          open.push(sibling);
        }
      }
    }
    return district;
  }
}
