package io.equipoise.causal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A graph seen with some nodes left out and some edges cut; nothing is copied.
 *
 * <p>Pearl's mutilations: {@link #cutInto} X removes every edge with an arrowhead at X, directed or
 * bidirected (X overlined); {@link #cutOutOf} X removes the directed edges out of X and keeps the
 * bidirected ones at X (X underlined). Nodes are numbers of the graph. Immutable; sets that are
 * passed in are read at once and never kept, sets that are returned belong to the caller. Ancestors
 * and descendants include the nodes asked for. Every question costs O(n + m).
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

  /** Returns which nodes are left. */
  public BitSet nodes() {
    return (BitSet) nodes.clone();
  }

  /** Keeps, of the nodes that are left, only those in {@code kept}. */
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
      throw new IllegalArgumentException("edges have been dropped from this subgraph before");
    }
    return new Subgraph(graph, nodes, cutIn, cutOut, (BitSet) from.clone(), (BitSet) to.clone());
  }

  /** Returns the nodes with a directed path into {@code of}, and those of {@code of} left. */
  public BitSet ancestors(BitSet of) {
    return closure(of, true);
  }

  public BitSet descendants(BitSet of) {
    return closure(of, false);
  }

  /** Returns all parents of the nodes in {@code of}; members of it may be among them. */
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

  /** Returns the c-component that holds a node. */
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
   * Says whether no path between {@code x} and {@code y} is open given {@code z}. X and Y are first
   * reduced by Z; what is left of them must not meet.
   */
  public boolean separated(BitSet x, BitSet y, BitSet z) {
    BitSet targets = Bits.and(nodes, Bits.minus(y, z));
    return !new Reachability(this, Bits.minus(x, z), z).reaches(targets);
  }

  /**
   * Returns every node at which a path from {@code from} arrives that is open up to there given
   * {@code given}; nodes given may be among them.
   */
  public BitSet reached(BitSet from, BitSet given) {
    return new Reachability(this, Bits.minus(from, given), given).nodes();
  }

  boolean holds(int node) {
    return nodes.get(node);
  }

  /** Says whether a directed edge of the graph is one here. */
  boolean keeps(int from, int to) {
    return nodes.get(from)
        && nodes.get(to)
        && !cutIn.get(to)
        && !cutOut.get(from)
        && !(dropFrom.get(from) && dropTo.get(to));
  }

  /** Says whether a bidirected edge of the graph is one here. */
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
}
