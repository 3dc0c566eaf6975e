package io.equipoise.causal;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Lists all separators between I and R: for an undecided node, those without it, then those with
 * it. A branch is entered only if it contains one, so the delay is O(n (n + m)).
 */
final class SeparatorIterator implements Iterator<BitSet> {
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
