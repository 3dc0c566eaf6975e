package io.equipoise.causal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds an acyclic directed mixed graph (Richardson 2003): directed edges, and bidirected edges
 * that stand for an unobserved common cause. A node may also be latent itself.
 *
 * <p>Immutable. Two graphs are equal if they declare the same nodes in the same order with the same
 * latent marks and edges; the order counts because it breaks ties in {@link #topologicalOrder}.
 * Returned sets iterate in declaration order. An unknown name is a {@link GraphException}.
 */
public final class CausalGraph {
  private final Map<String, Integer> index;
  private final List<String> names;
  private final BitSet latent;
  private final BitSet[] parents;
  private final BitSet[] children;
  private final BitSet[] siblings;
  private final List<String> topologicalOrder;

  CausalGraph(GraphBuilder builder) {
    index = Collections.unmodifiableMap(new LinkedHashMap<>(builder.index));
    names = List.copyOf(index.keySet());
    latent = (BitSet) builder.latent.clone();
    parents = copies(builder.parents);
    children = copies(builder.children);
    siblings = copies(builder.siblings);
    topologicalOrder = List.copyOf(sort());
  }

  public static GraphBuilder builder() {
    return new GraphBuilder();
  }

  /** Returns all nodes in the order of their declaration. */
  public List<String> nodes() {
    return names;
  }

  public boolean contains(String node) {
    return index.containsKey(node);
  }

  public Set<String> latents() {
    return named(latent);
  }

  public Set<String> parents(String node) {
    return named(parents[indexOf(node)]);
  }

  public Set<String> children(String node) {
    return named(children[indexOf(node)]);
  }

  /** Returns the nodes joined to this one by a bidirected edge. */
  public Set<String> siblings(String node) {
    return named(siblings[indexOf(node)]);
  }

  /** Returns the nodes with a directed path into {@code of}, and {@code of} itself. */
  public Set<String> ancestors(Collection<String> of) {
    return named(ancestors(bits(of)));
  }

  /** Returns the nodes that a directed path from {@code of} reaches, and {@code of} itself. */
  public Set<String> descendants(Collection<String> of) {
    return named(closure(bits(of), children));
  }

  /** Returns all nodes, parents first; of several that could come next, the first declared. */
  public List<String> topologicalOrder() {
    return topologicalOrder;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CausalGraph graph
        && names.equals(graph.names)
        && latent.equals(graph.latent)
        && Arrays.equals(parents, graph.parents)
        && Arrays.equals(siblings, graph.siblings);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * names.hashCode() + Arrays.hashCode(parents)) + Arrays.hashCode(siblings);
  }

  @Override
  public String toString() {
    return DagittyText.print(this);
  }

  // What follows speaks of nodes by number, for the algorithms of this package. Bit sets that
  // belong
  // to the graph are never changed by them.

  int size() {
    return names.size();
  }

  String name(int node) {
    return names.get(node);
  }

  int indexOf(String node) {
    Integer found = index.get(node);
    if (found == null) {
      throw new GraphException("no node named \"" + node + "\" in the graph");
    }
    return found;
  }

  BitSet latentBits() {
    return latent;
  }

  BitSet parentBits(int node) {
    return parents[node];
  }

  BitSet childBits(int node) {
    return children[node];
  }

  BitSet siblingBits(int node) {
    return siblings[node];
  }

  /** Returns a set of its own for every call. */
  BitSet bits(Collection<String> nodes) {
    BitSet bits = new BitSet(size());
    for (String node : nodes) {
      bits.set(indexOf(node));
    }
    return bits;
  }

  Set<String> named(BitSet nodes) {
    Set<String> named = new LinkedHashSet<>();
    nodes.stream().forEach(node -> named.add(names.get(node)));
    return Collections.unmodifiableSet(named);
  }

  BitSet ancestors(BitSet of) {
    return closure(of, parents);
  }

  private static BitSet closure(BitSet of, BitSet[] step) {
    BitSet closed = new BitSet(step.length);
    BitSet open = (BitSet) of.clone();
    for (int node = open.nextSetBit(0); node >= 0; node = open.nextSetBit(0)) {
      open.clear(node);
      closed.set(node);
      BitSet next = (BitSet) step[node].clone();
      next.andNot(closed);
      open.or(next);
    }
    return closed;
  }

  private static BitSet[] copies(List<BitSet> sets) {
    return sets.stream().map(set -> (BitSet) set.clone()).toArray(BitSet[]::new);
  }

  private List<String> sort() {
    List<String> order = new ArrayList<>(size());
    BitSet waiting = new BitSet(size());
    waiting.set(0, size());
    while (!waiting.isEmpty()) {
      int next = waiting.nextSetBit(0);
      while (next >= 0 && parents[next].intersects(waiting)) {
        next = waiting.nextSetBit(next + 1);
      }
      if (next < 0) {
        throw new GraphException("directed cycle: " + cycleAmong(waiting));
      }
      waiting.clear(next);
      order.add(names.get(next));
    }
    return order;
  }

  /** Walks backwards among nodes that each have a parent among them, until one comes again. */
  private String cycleAmong(BitSet nodes) {
    List<Integer> walk = new ArrayList<>();
    int node = nodes.nextSetBit(0);
    while (!walk.contains(node)) {
      walk.add(node);
      BitSet back = (BitSet) parents[node].clone();
      back.and(nodes);
      node = back.nextSetBit(0);
    }
    List<String> cycle = new ArrayList<>();
    cycle.add(names.get(node));
    for (int i = walk.size() - 1; i >= walk.indexOf(node); i--) {
      cycle.add(names.get(walk.get(i)));
    }
    return String.join(" -> ", cycle);
  }
}
