package io.equipoise.causal;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * Lists all inclusion-minimal vertex cuts between two sets of nodes of an undirected graph.
 *
 * <p>Starts with the cut nearest to X. Moving one member of a cut to the side of X yields the
 * boundary of the side of Y, which is again a minimal cut; this reaches every minimal cut (Shen and
 * Liang 1997; Berry, Bordat and Cogis 2000). Keeps the cuts found; O(n m) work per cut.
 */
final class MinimalCutIterator implements Iterator<BitSet> {
  private final AugmentedGraph graph;
  private final BitSet x;
  private final BitSet y;
  private final BitSet always;
  private final Set<BitSet> found = new HashSet<>();
  private final Deque<BitSet> waiting = new ArrayDeque<>();

  MinimalCutIterator(AugmentedGraph graph, BitSet x, BitSet y, BitSet always, boolean isPossible) {
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
