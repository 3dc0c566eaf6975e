package io.equipoise.causal.effect;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Subgraph;
import io.equipoise.causal.estimand.Estimand;
import io.equipoise.causal.estimand.One;
import io.equipoise.causal.estimand.Probability;
import io.equipoise.causal.estimand.Product;
import io.equipoise.causal.estimand.Quotient;
import io.equipoise.causal.estimand.Sum;
import java.util.BitSet;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes irrelevant conditions by the graph: b is dropped from P(a | b, K) if a and b are
 * m-separated by K (and S, among selected rows). The value in the population is the same, and far
 * more rows of the data support it.
 */
public final class Pooling {
  private final CausalGraph graph;
  private final Subgraph whole;

  private Pooling(CausalGraph graph) {
    this.graph = graph;
    this.whole = graph.whole();
  }

  /** Takes the graph of the estimands. */
  public static Pooling of(CausalGraph graph) {
    return new Pooling(graph.projected());
  }

  /** Returns the estimand with every condition reduced. */
  public Estimand reduced(Estimand estimand) {
    return reduced(estimand, new IdentityHashMap<>());
  }

  /**
   * Returns the rest of {@code given} after dropping what is irrelevant to {@code of}, the last in
   * topological order first.
   */
  public Set<String> reduced(Collection<String> of, Collection<String> given, boolean isSelected) {
    BitSet y = graph.bits(of);
    BitSet selection = isSelected ? graph.selectionBits() : new BitSet();
    BitSet kept = graph.bits(given);
    // Drops untouched variables all at once (the intersection property of separation).
    kept.and(whole.reached(y, Bits.or(kept, selection)));
    int[] order = graph.sorted(kept);
    for (int i = order.length - 1; i >= 0; i--) {
      BitSet one = Bits.of(order[i]);
      BitSet others = Bits.minus(kept, one);
      if (whole.separated(y, one, Bits.or(others, selection))) {
        kept = others;
      }
    }
    return graph.named(kept);
  }

  private Estimand reduced(Estimand estimand, Map<Estimand, Estimand> done) {
    Estimand known = done.get(estimand);
    if (known == null) {
      known = rebuilt(estimand, done);
      done.put(estimand, known);
    }
    return known;
  }

  private Estimand rebuilt(Estimand estimand, Map<Estimand, Estimand> done) {
    if (estimand instanceof Probability p) {
      Set<String> given = reduced(p.of(), p.given(), p.isSelected());
      return given.size() == p.given().size()
          ? p
          : Estimand.probability(p.of(), given, p.isSelected());
    }
    if (estimand instanceof Sum sum) {
      return reduced(sum.body(), done).summed(sum.bound());
    }
    if (estimand instanceof Quotient quotient) {
      return reduced(quotient.numerator(), done).over(reduced(quotient.divisor(), done));
    }
    if (estimand instanceof Product) {
      List<Estimand> factors = estimand.parts().stream().map(part -> reduced(part, done)).toList();
      return Estimand.product(factors);
    }
    return estimand instanceof One ? Estimand.one() : estimand;
  }
}
