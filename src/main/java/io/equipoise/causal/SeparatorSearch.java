package io.equipoise.causal;

import java.util.BitSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Finds separators Z of X and Y with I in Z in R in a subgraph, by the algorithms of van der Zander
 * and Liskiewicz 2020. Nodes are numbers. {@link Separators} is the same for names.
 *
 * <p>All algorithms use A = An(X u Y u I). If there is a separator, R n A is one. Every minimal one
 * is within A. Inside A every collider is open, so separation is monotone.
 */
public final class SeparatorSearch {
  private final Subgraph graph;
  private final BitSet x;
  private final BitSet y;
  private final BitSet include;
  private final BitSet restrict;
  private final Subgraph ancestral;

  /** X, Y and I must be disjoint; X and Y are removed from R. */
  public SeparatorSearch(Subgraph graph, BitSet x, BitSet y, BitSet include, BitSet restrict) {
    requireDisjoint(graph.graph(), x, y, include);
    this.graph = graph;
    this.x = (BitSet) x.clone();
    this.y = (BitSet) y.clone();
    this.include = (BitSet) include.clone();
    this.restrict = Bits.minus(restrict, x, y);
    ancestral = graph.within(graph.ancestors(Bits.or(x, y, include)));
  }

  /** Returns the largest separator within A; empty if there is none. O(n + m). */
  public Optional<BitSet> any() {
    BitSet z = Bits.and(restrict, ancestral.nodes());
    return isPossible() && !reached(x, z).intersects(y) ? Optional.of(z) : Optional.empty();
  }

  /** Returns a separator that is minimal except for I. O(n + m). */
  public Optional<BitSet> minimal() {
    if (!isPossible()) {
      return Optional.empty();
    }
    BitSet largest = Bits.and(restrict, ancestral.nodes());
    BitSet fromX = reached(x, largest);
    if (fromX.intersects(y)) {
      return Optional.empty();
    }
    BitSet nearX = Bits.and(largest, Bits.or(fromX, include));
    return Optional.of(Bits.and(nearX, Bits.or(reached(y, nearX), include)));
  }

  /**
   * Returns a separator of least total cost, the one nearest to X among several: a minimum vertex
   * cut in the augmented graph of A, O(n^3). I costs nothing; costs must be positive and finite.
   */
  public Optional<BitSet> cheapest(ToDoubleFunction<String> cost) {
    if (!isPossible()) {
      return Optional.empty();
    }
    AugmentedGraph augmented = new AugmentedGraph(ancestral);
    include.stream().forEach(augmented::remove);
    BitSet cuttable = Bits.and(Bits.minus(restrict, include), ancestral.nodes());
    double[] capacity = Separation.capacities(graph.graph(), cost, cuttable);
    return new VertexCut(augmented, x, y, capacity).minimum().map(cut -> Bits.or(cut, include));
  }

  /** Returns every separator, with polynomial delay. */
  public Iterator<BitSet> all() {
    return new SeparatorIterator(graph, x, y, include, restrict);
  }

  /** Returns every separator that is minimal except for I, with polynomial delay. */
  public Iterator<BitSet> allMinimal() {
    AugmentedGraph augmented = new AugmentedGraph(ancestral);
    include.stream().forEach(augmented::remove);
    Bits.minus(ancestral.nodes(), restrict, x, y, include).stream().forEach(augmented::eliminate);
    return new MinimalCutIterator(augmented, x, y, include, isPossible());
  }

  /** Returns whether I is in the subgraph and allowed. */
  private boolean isPossible() {
    return Bits.isWithin(include, restrict) && Bits.isWithin(include, graph.nodes());
  }

  /** Walks inside A, where all colliders are open; members of {@code z} block other paths. */
  private BitSet reached(BitSet from, BitSet z) {
    return new Reachability(ancestral, from, z, ancestral.nodes()).nodes();
  }

  private static void requireDisjoint(CausalGraph graph, BitSet... sets) {
    BitSet seen = new BitSet();
    for (BitSet set : sets) {
      if (seen.intersects(set)) {
        throw new GraphException("x, y and include share " + graph.named(Bits.and(seen, set)));
      }
      seen.or(set);
    }
  }
}
