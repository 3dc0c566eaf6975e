package io.equipoise.causal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Shows a graph without some nodes and edges; nothing is copied.
 *
 * <p>Pearl's mutilations: {@link #cutInto} X removes every edge with an arrowhead at X, directed or
 * bidirected (X overlined); {@link #cutOutOf} X removes the directed edges out of X and keeps the
 * bidirected ones at X (X underlined). Nodes are numbers of the graph. Immutable; argument sets are
 * read at once and never kept, returned sets belong to the caller. Ancestors and descendants
 * include the given nodes. Every query costs O(n + m).
 */
public final class Subgraph {
  private static final BitSet NONE = new BitSet();

  private final CausalGraph graph;
  private final BitSet nodes;
  private final BitSet cutIn;
  private final BitSet cutOut;
  private final BitSet dropFrom;
  private final BitSet dropTo;

  private Subgraph(
      CausalGraph graph,
      BitSet nodes,
      BitSet cutIn,
      BitSet cutOut,
      BitSet dropFrom,
      BitSet dropTo) {
    this.graph = graph;
    this.nodes = nodes;
    this.cutIn = cutIn;
    this.cutOut = cutOut;
    this.dropFrom = dropFrom;
    this.dropTo = dropTo;
  }

  static Subgraph of(CausalGraph graph) {
    BitSet all = new BitSet(graph.size());
    all.set(0, graph.size());
    return new Subgraph(graph, all, NONE, NONE, NONE, NONE);
  }

  public CausalGraph graph() {
    return graph;
  }

  /** Returns the remaining nodes. */
  public BitSet nodes() {
    return (BitSet) nodes.clone();
  }

  /** Keeps only remaining nodes in {@code kept}. */
  public Subgraph within(BitSet kept) {
    return new Subgraph(graph, Bits.and(nodes, kept), cutIn, cutOut, dropFrom, dropTo);
  }

  public Subgraph without(BitSet nodesToLeaveOut) {
    BitSet left = Bits.minus(nodes, nodesToLeaveOut);
    return new Subgraph(graph, left, cutIn, cutOut, dropFrom, dropTo);
  }

  public Subgraph cutInto(BitSet more) {
    return new Subgraph(graph, nodes, Bits.or(cutIn, more), cutOut, dropFrom, dropTo);
  }

  public Subgraph cutOutOf(BitSet more) {
    return new Subgraph(graph, nodes, cutIn, Bits.or(cutOut, more), dropFrom, dropTo);
  }

  /** Removes the directed edges from any of {@code from} to any of {@code to}; once only. */
  public Subgraph withoutEdges(BitSet from, BitSet to) {
    if (!dropFrom.isEmpty()) {
      throw new IllegalArgumentException("edges of this subgraph were already dropped");
    }
    return new Subgraph(graph, nodes, cutIn, cutOut, (BitSet) from.clone(), (BitSet) to.clone());
  }

  /** Returns the remaining nodes with a directed path into {@code of}, and those of {@code of}. */
  public BitSet ancestors(BitSet of) {
    return closure(of, true);
  }

  public BitSet descendants(BitSet of) {
    return closure(of, false);
  }

  /** Returns all parents of the nodes in {@code of}, which may include members of it. */
  public BitSet parents(BitSet of) {
    BitSet found = new BitSet(graph.size());
    for (int node = of.nextSetBit(0); node >= 0; node = of.nextSetBit(node + 1)) {
      for (int parent : graph.parentsOf(node)) {
        if (keeps(parent, node)) {
          found.set(parent);
        }
      }
    }
    return found;
  }

  /** Returns the c-components (districts), in the order of their first nodes. */
  public List<BitSet> components() {
    List<BitSet> components = new ArrayList<>();
    BitSet left = (BitSet) nodes.clone();
    for (int node = left.nextSetBit(0); node >= 0; node = left.nextSetBit(node + 1)) {
      BitSet component = component(node);
      left.andNot(component);
      components.add(component);
    }
    return components;
  }

  /** Returns the c-component that contains a node. */
  public BitSet component(int node) {
    BitSet component = new BitSet(graph.size());
    component.set(node);
    IntStack open = new IntStack();
    open.push(node);
    while (!open.isEmpty()) {
      int at = open.pop();
      for (int sibling : graph.siblingsOf(at)) {
        if (!component.get(sibling) && keepsBoth(at, sibling)) {
          component.set(sibling);
          open.push(sibling);
        }
      }
    }
    return component;
  }

  /**
   * Returns whether no path between {@code x} and {@code y} is open given {@code z}. Members of Z
   * are first removed from X and Y; the rest must be disjoint.
   */
  public boolean separated(BitSet x, BitSet y, BitSet z) {
    BitSet targets = Bits.and(nodes, Bits.minus(y, z));
    return !new Reachability(this, Bits.minus(x, z), z).reaches(targets);
  }

  /**
   * Returns every node at the end of a path from {@code from} that is open given {@code given},
   * which may include given nodes.
   */
  public BitSet reached(BitSet from, BitSet given) {
    return new Reachability(this, Bits.minus(from, given), given).nodes();
  }

  boolean holds(int node) {
    return nodes.get(node);
  }

  /** Returns whether a directed edge of the graph is in the subgraph. */
  boolean keeps(int from, int to) {
    return nodes.get(from)
        && nodes.get(to)
        && !cutIn.get(to)
        && !cutOut.get(from)
        && !(dropFrom.get(from) && dropTo.get(to));
  }

  /** Returns whether a bidirected edge of the graph is in the subgraph. */
  boolean keepsBoth(int one, int other) {
    return nodes.get(one) && nodes.get(other) && !cutIn.get(one) && !cutIn.get(other);
  }

  private BitSet closure(BitSet of, boolean isUpwards) {
    BitSet closed = Bits.and(nodes, of);
    IntStack open = new IntStack();
    closed.stream().forEach(open::push);
    while (!open.isEmpty()) {
      int node = open.pop();
      for (int next : isUpwards ? graph.parentsOf(node) : graph.childrenOf(node)) {
        if (!closed.get(next) && (isUpwards ? keeps(next, node) : keeps(node, next))) {
          closed.set(next);
          open.push(next);
        }
      }
    }
    return closed;
  }

  private static final class IntStack {
    private int[] numbers = new int[16];
    private int size;

    void push(int number) {
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
      }
      numbers[size++] = number;
    }

    int pop() {
      return numbers[--size];
    }

    boolean isEmpty() {
      return size == 0;
    }
  }
}
