package io.equipoise.causal;

import io.equipoise.event.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Represents an acyclic directed mixed graph (Richardson 2003): directed edges, and bidirected
 * edges for unobserved common causes. Nodes may be latent, and one may be the selection node: "this
 * row is in the data".
 *
 * <p>Immutable. Two graphs are equal if they declare the same nodes in the same order with the same
 * marks and edges; the order counts because it breaks ties in {@link #topologicalOrder}. Returned
 * sets iterate in declaration order. An unknown name is a {@link GraphException}.
 *
 * <p>Nodes also have numbers, in declaration order from 0, and sets of them are bit sets: {@link
 * Subgraph} and the algorithms speak of nodes by number. Memory is O(n + m).
 */
public final class CausalGraph {
  private final Map<String, Integer> index;
  private final List<String> names;
  private final BitSet latent;
  private final int selection;
  private final int[][] parents;
  private final int[][] children;
  private final int[][] siblings;
  private final int[] order;

  CausalGraph(GraphBuilder builder) {
    index = Collections.unmodifiableMap(new LinkedHashMap<>(builder.index));
    names = List.copyOf(index.keySet());
    latent = (BitSet) builder.latent.clone();
    selection = builder.selection;
    children = builder.directed.neighbors(size(), false);
    parents = builder.directed.neighbors(size(), true);
    siblings = builder.bidirected.neighbors(size(), false);
    order = new TopologicalSort(names, parents, children).order();
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

  /** Returns the node that indicates whether a row is in the data; empty if every row is. */
  public Optional<String> selection() {
    return selection < 0 ? Optional.empty() : Optional.of(names.get(selection));
  }

  /** Returns the nodes with values in the data: all but latent ones and the selection node. */
  public Set<String> observed() {
    return named(observedBits());
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
    return named(whole().ancestors(bits(of)));
  }

  /** Returns the nodes that a directed path from {@code of} reaches, and {@code of} itself. */
  public Set<String> descendants(Collection<String> of) {
    return named(whole().descendants(bits(of)));
  }

  /** Returns the sets of nodes connected by bidirected edges, in the order of their first nodes. */
  public List<Set<String>> components() {
    return whole().components().stream().map(this::named).toList();
  }

  /** Returns all nodes, parents first; ties are broken by declaration order. */
  public List<String> topologicalOrder() {
    return Arrays.stream(order).mapToObj(names::get).toList();
  }

  /** Returns the graph over the nodes that are not latent; see {@link LatentProjection}. */
  public CausalGraph projected() {
    return latent.isEmpty() ? this : LatentProjection.of(this);
  }

  /**
   * Returns the SHA-256 in hexadecimal digits of the graph's content: its nodes with their marks
   * and its edges, independent of the declaration order.
   */
  public String fingerprint() {
    GraphBuilder sorted = builder();
    names.stream().sorted().forEach(sorted::node);
    return Sha256.hex(
        marked(sorted, named(latent), selection()).toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the graph with the selection node latent, for unselected data. */
  public CausalGraph withSelectionLatent() {
    GraphBuilder builder = builder();
    names.forEach(builder::node);
    Set<String> hidden = new LinkedHashSet<>(named(latent));
    selection().ifPresent(hidden::add);
    return marked(builder, hidden, Optional.empty());
  }

  /** Returns the graph with this node as its selection node. */
  public CausalGraph withSelection(String node) {
    GraphBuilder builder = builder();
    names.forEach(builder::node);
    return marked(builder, named(latent), Optional.of(names.get(indexOf(node))));
  }

  /** Returns the graph with an arrow from each of some nodes to each of others. */
  public CausalGraph withArrows(Collection<String> from, Collection<String> to) {
    GraphBuilder builder = builder();
    names.forEach(builder::node);
    from.forEach(one -> to.forEach(other -> builder.directed(one, other)));
    return marked(builder, named(latent), selection());
  }

  private CausalGraph marked(GraphBuilder builder, Set<String> hidden, Optional<String> selected) {
    hidden.forEach(builder::markLatent);
    selected.ifPresent(builder::markSelected);
    for (int node = 0; node < size(); node++) {
      String name = names.get(node);
      named(children[node]).forEach(child -> builder.directed(name, child));
      named(siblings[node]).forEach(sibling -> builder.bidirected(name, sibling));
    }
    return builder.build();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CausalGraph graph
        && names.equals(graph.names)
        && latent.equals(graph.latent)
        && selection == graph.selection
        && Arrays.deepEquals(parents, graph.parents)
        && Arrays.deepEquals(siblings, graph.siblings);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * names.hashCode() + Arrays.deepHashCode(parents))
        + Arrays.deepHashCode(siblings);
  }

  @Override
  public String toString() {
    return DagittyText.print(this);
  }

  /** Returns the number of nodes. */
  public int size() {
    return names.size();
  }

  /** Returns the name of a node by its number. */
  public String name(int node) {
    return names.get(node);
  }

  /** Returns the number of a node by its name. */
  public int indexOf(String node) {
    Integer found = index.get(node);
    if (found == null) {
      throw new GraphException("no node named \"" + node + "\" in the graph");
    }
    return found;
  }

  /** Returns the numbers of some nodes as a new set. */
  public BitSet bits(Collection<String> nodes) {
    BitSet bits = new BitSet(size());
    for (String node : nodes) {
      bits.set(indexOf(node));
    }
    return bits;
  }

  /** Returns the names of some nodes, in declaration order. */
  public Set<String> named(BitSet nodes) {
    Set<String> named = new LinkedHashSet<>();
    nodes.stream().forEach(node -> named.add(names.get(node)));
    return Collections.unmodifiableSet(named);
  }

  /** Returns the numbers of {@link #observed} as a new set. */
  public BitSet observedBits() {
    BitSet observed = new BitSet(size());
    observed.set(0, size());
    observed.andNot(latent);
    observed.andNot(selectionBits());
    return observed;
  }

  /** Returns the selection node as a set: of one node or of none. */
  public BitSet selectionBits() {
    BitSet bits = new BitSet(size());
    if (selection >= 0) {
      bits.set(selection);
    }
    return bits;
  }

  /** Returns the whole graph as a subgraph. */
  public Subgraph whole() {
    return Subgraph.of(this);
  }

  /**
   * Returns the numbers of some nodes, parents first, in the order of {@link #topologicalOrder}.
   */
  public int[] sorted(BitSet nodes) {
    return Arrays.stream(order).filter(nodes::get).toArray();
  }

  // Arrays and bit sets below belong to the graph; the algorithms of this package only read them.

  BitSet latentBits() {
    return latent;
  }

  int[] parentsOf(int node) {
    return parents[node];
  }

  int[] childrenOf(int node) {
    return children[node];
  }

  int[] siblingsOf(int node) {
    return siblings[node];
  }

  private Set<String> named(int[] nodes) {
    Set<String> named = new LinkedHashSet<>();
    for (int node : nodes) {
      named.add(names.get(node));
    }
    return Collections.unmodifiableSet(named);
  }
}
