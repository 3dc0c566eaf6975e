package io.equipoise.causal;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

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

  /**
   * Lists all separators between I and R: for an undecided node, those without it, then those with
   * it. A branch is entered only if it contains one, so the delay is O(n (n + m)).
   */
  private static final class SeparatorIterator implements Iterator<BitSet> {
    private record Branch(BitSet include, BitSet restrict) {}

    private final Subgraph graph;
    private final BitSet x;
    private final BitSet y;
    private final Deque<Branch> open = new ArrayDeque<>();
    private @Nullable BitSet next;

    SeparatorIterator(Subgraph graph, BitSet x, BitSet y, BitSet include, BitSet restrict) {
      this.graph = graph;
      this.x = x;
      this.y = y;
      open.push(new Branch(include, Bits.and(restrict, graph.nodes())));
      advance();
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public BitSet next() {
      if (next == null) {
        throw new NoSuchElementException("there is no further separator");
      }
      BitSet found = next;
      advance();
      return found;
    }

    private void advance() {
      next = null;
      while (next == null && !open.isEmpty()) {
        Branch branch = open.pop();
        if (new SeparatorSearch(graph, x, y, branch.include, branch.restrict).any().isEmpty()) {
          continue;
        }
        int undecided = Bits.minus(branch.restrict, branch.include).nextSetBit(0);
        if (undecided < 0) {
          next = branch.include;
        } else {
          BitSet one = Bits.of(undecided);
          open.push(new Branch(Bits.or(branch.include, one), branch.restrict));
          open.push(new Branch(branch.include, Bits.minus(branch.restrict, one)));
        }
      }
    }
  }

  /**
   * Lists all inclusion-minimal vertex cuts between two sets of nodes of an undirected graph.
   *
   * <p>Starts with the cut nearest to X. Moving one member of a cut to the side of X yields the
   * boundary of the side of Y, which is again a minimal cut; this reaches every minimal cut (Shen
   * and Liang 1997; Berry, Bordat and Cogis 2000). Keeps the cuts found; O(n m) work per cut.
   */
  private static final class MinimalCutIterator implements Iterator<BitSet> {
    private final AugmentedGraph graph;
    private final BitSet x;
    private final BitSet y;
    private final BitSet always;
    private final Set<BitSet> found = new HashSet<>();
    private final Deque<BitSet> waiting = new ArrayDeque<>();

    MinimalCutIterator(
        AugmentedGraph graph, BitSet x, BitSet y, BitSet always, boolean isPossible) {
      this.graph = graph;
      this.x = x;
      this.y = y;
      this.always = always;
      if (isPossible) {
        offer(x);
      }
    }

    @Override
    public boolean hasNext() {
      return !waiting.isEmpty();
    }

    @Override
    public BitSet next() {
      if (waiting.isEmpty()) {
        throw new NoSuchElementException("there is no further minimal cut");
      }
      BitSet cut = waiting.remove();
      BitSet side = reached(x, cut);
      for (int node = cut.nextSetBit(0); node >= 0; node = cut.nextSetBit(node + 1)) {
        offer(Bits.or(side, Bits.of(node)));
      }
      return Bits.or(cut, always);
    }

    /** Returns the cut that borders on Y if all of {@code side} belongs to X, if there is one. */
    private void offer(BitSet side) {
      BitSet border = border(side);
      if (!border.intersects(y)) {
        BitSet cut = border(reached(y, border));
        if (found.add(cut)) {
          waiting.add(cut);
        }
      }
    }

    private BitSet border(BitSet side) {
      BitSet border = new BitSet();
      side.stream().forEach(node -> border.or(graph.adjacent(node)));
      border.andNot(side);
      return border;
    }

    private BitSet reached(BitSet from, BitSet cut) {
      BitSet reached = (BitSet) from.clone();
      BitSet open = (BitSet) from.clone();
      for (int node = open.nextSetBit(0); node >= 0; node = open.nextSetBit(0)) {
        open.clear(node);
        BitSet next = Bits.minus(graph.adjacent(node), cut, reached);
        reached.or(next);
        open.or(next);
      }
      return reached;
    }
  }
}
