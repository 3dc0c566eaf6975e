package io.equipoise.causal.effect;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import java.util.BitSet;
import java.util.Collection;

/** The validated sets of P(y | do x, c) by number: y not empty, disjoint, and observed. */
record Query(BitSet y, BitSet x, BitSet c) {
  static Query of(
      CausalGraph graph, Collection<String> y, Collection<String> x, Collection<String> c) {
    Query query = new Query(graph.bits(y), graph.bits(x), graph.bits(c));
    if (query.y.isEmpty()) {
      throw new GraphException("an effect needs an outcome");
    }
    BitSet all = Bits.or(query.y, query.x, query.c);
    if (all.cardinality() < query.y.cardinality() + query.x.cardinality() + query.c.cardinality()) {
      throw new GraphException("outcome, do and given overlap: " + y + ", " + x + ", " + c);
    }
    BitSet hidden = Bits.minus(all, graph.observedBits());
    if (!hidden.isEmpty()) {
      throw new GraphException("the query names unobserved variables: " + graph.named(hidden));
    }
    return query;
  }
}
