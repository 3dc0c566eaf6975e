package io.equipoise.causal.effect;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Subgraph;
import io.equipoise.causal.estimand.Estimand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Computes c-factors by Tian and Pearl's calculus: from Q[H] to the Q of a c-component of G[H]
 * (2003, Lemma 4), to that of an ancestral subset (Lemma 3), and by both to any Q[C] that Q[T]
 * determines.
 */
final class CFactors {
  /** Formulas with more nodes count as not found. */
  static final int MAX_NODES = 100_000;

  private final CausalGraph graph;
  private final Subgraph whole;

  CFactors(CausalGraph graph) {
    this.graph = graph;
    this.whole = graph.whole();
  }

  /**
   * Returns Q[component] from Q[H] = {@code q}, by Lemma 4: the product of Q[H^(j)] / Q[H^(j-1)]
   * over the members h_j, in a topological order of H. Q[H^(0)] is kept, as q need not be
   * normalized.
   */
  Estimand component(BitSet component, BitSet h, Estimand q) {
    int[] order = graph.sorted(h);
    Estimand[] upTo = new Estimand[order.length + 1];
    List<Estimand> ratios = new ArrayList<>();
    for (int j = 1; j <= order.length; j++) {
      if (component.get(order[j - 1])) {
        ratios.add(upTo(upTo, j, order, q).over(upTo(upTo, j - 1, order, q)));
      }
    }
    return Estimand.product(ratios);
  }

  private Estimand upTo(Estimand[] known, int j, int[] order, Estimand q) {
    Estimand found = known[j];
    if (found == null) {
      BitSet behind = new BitSet();
      for (int i = j; i < order.length; i++) {
        behind.set(order[i]);
      }
      found = q.summed(graph.named(behind));
      known[j] = found;
    }
    return found;
  }

  /** Identify(C, T, Q[T]) of Tian and Pearl 2003; G[C] and G[T] are c-components, C in T. */
  IdentifiedEffect identify(BitSet c, BitSet t, Estimand q) {
    BitSet ancestors = whole.within(t).ancestors(c);
    if (ancestors.equals(c)) {
      return new IdentifiedEffect.Identified(q.summed(graph.named(Bits.minus(t, c))));
    }
    if (ancestors.equals(t)) {
      return hedge(graph.named(c), graph.named(t));
    }
    Estimand ancestral = q.summed(graph.named(Bits.minus(t, ancestors)));
    BitSet next = whole.within(ancestors).component(c.nextSetBit(0));
    Estimand factor = component(next, ancestors, ancestral);
    return isLarge(factor) ? large(graph.named(c)) : identify(c, next, factor);
  }

  static boolean isLarge(Estimand estimand) {
    return estimand.treeSize() > MAX_NODES && estimand.distinctNodes() > MAX_NODES;
  }

  static IdentifiedEffect.NotIdentified large(Set<String> factor) {
    return new IdentifiedEffect.NotIdentified(
        "the formula for Q" + factor + " has more than " + MAX_NODES + " terms", factor, Set.of());
  }

  private static IdentifiedEffect.NotIdentified hedge(Set<String> factor, Set<String> within) {
    return new IdentifiedEffect.NotIdentified(
        "Q"
            + factor
            + " does not follow from Q"
            + within
            + ": all its nodes are ancestors of the former, and the two form a hedge",
        factor,
        within);
  }
}
