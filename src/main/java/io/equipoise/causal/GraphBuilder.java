package io.equipoise.causal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects nodes and edges of a {@link CausalGraph}. Adding the same edge twice is the same as
 * adding it once.
 */
public final class GraphBuilder {
  /** Bounds what a hostile text can make us allocate; separators cost up to O(n^3). */
  static final int MAX_NODES = 1024;

  final Map<String, Integer> index = new LinkedHashMap<>();
  final BitSet latent = new BitSet();
  final List<BitSet> parents = new ArrayList<>();
  final List<BitSet> children = new ArrayList<>();
  final List<BitSet> siblings = new ArrayList<>();

  GraphBuilder() {}

  public GraphBuilder node(String name) {
    if (name.isBlank()) {
      throw new GraphException("a node has a blank name");
    }
    if (index.size() == MAX_NODES) {
      throw new GraphException("node \"" + name + "\" is one more than " + MAX_NODES);
    }
    if (index.putIfAbsent(name, index.size()) != null) {
      throw new GraphException("node \"" + name + "\" is declared twice");
    }
    parents.add(new BitSet());
    children.add(new BitSet());
    siblings.add(new BitSet());
    return this;
  }

  /** Adds a node that is never observed. */
  public GraphBuilder latent(String name) {
    node(name);
    markLatent(name);
    return this;
  }

  boolean contains(String name) {
    return index.containsKey(name);
  }

  void markLatent(String name) {
    latent.set(end(name, name));
  }

  public GraphBuilder directed(String from, String to) {
    String place = from + " -> " + to;
    int cause = end(from, place);
    int effect = end(to, place);
    refuseLoop(cause, effect, place);
    parents.get(effect).set(cause);
    children.get(cause).set(effect);
    return this;
  }

  public GraphBuilder bidirected(String one, String other) {
    String place = one + " <-> " + other;
    int a = end(one, place);
    int b = end(other, place);
    refuseLoop(a, b, place);
    siblings.get(a).set(b);
    siblings.get(b).set(a);
    return this;
  }

  /** Returns the graph, or refuses a directed cycle and prints it. */
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
}
