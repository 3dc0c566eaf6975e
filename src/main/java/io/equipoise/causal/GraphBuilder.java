package io.equipoise.causal;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Collects nodes and edges of a {@link CausalGraph}. Adding an edge twice has no further effect.
 */
public final class GraphBuilder {
  final Map<String, Integer> index = new LinkedHashMap<>();
  final BitSet latent = new BitSet();
  final EdgeSet directed = new EdgeSet();
  final EdgeSet bidirected = new EdgeSet();
  int selection = -1;

  GraphBuilder() {}

  public GraphBuilder node(String name) {
    if (name.isBlank()) {
      throw new GraphException("a node has a blank name");
    }
    if (index.putIfAbsent(name, index.size()) != null) {
      throw new GraphException("node \"" + name + "\" is declared twice");
    }
    return this;
  }

  /** Adds a latent node. */
  public GraphBuilder latent(String name) {
    node(name);
    markLatent(name);
    return this;
  }

  /** Adds the node that indicates whether a row is in the data; there is at most one. */
  public GraphBuilder selection(String name) {
    node(name);
    markSelected(name);
    return this;
  }

  boolean contains(String name) {
    return index.containsKey(name);
  }

  int size() {
    return index.size();
  }

  void markLatent(String name) {
    int node = end(name, name);
    refuseBothMarks(name, node == selection);
    latent.set(node);
  }

  void markSelected(String name) {
    int node = end(name, name);
    refuseBothMarks(name, latent.get(node));
    if (selection >= 0 && selection != node) {
      throw new GraphException("node \"" + name + "\" is a second selection node");
    }
    selection = node;
  }

  public GraphBuilder directed(String from, String to) {
    String place = from + " -> " + to;
    int cause = end(from, place);
    int effect = end(to, place);
    refuseLoop(cause, effect, place);
    directed.add(cause, effect);
    return this;
  }

  public GraphBuilder bidirected(String one, String other) {
    String place = one + " <-> " + other;
    int a = end(one, place);
    int b = end(other, place);
    refuseLoop(a, b, place);
    bidirected.add(a, b);
    bidirected.add(b, a);
    return this;
  }

  /** Returns the graph, or throws with a directed cycle. */
  public CausalGraph build() {
    return new CausalGraph(this);
  }

  private int end(String name, String place) {
    Integer found = index.get(name);
    if (found == null) {
      throw new GraphException("edge " + place + ": no node named \"" + name + "\"");
    }
    return found;
  }

  private static void refuseLoop(int one, int other, String place) {
    if (one == other) {
      throw new GraphException("edge " + place + " is a self loop");
    }
  }

  private static void refuseBothMarks(String name, boolean hasOtherMark) {
    if (hasOtherMark) {
      throw new GraphException("node \"" + name + "\" is both latent and selected");
    }
  }
}
