package io.equipoise.causal.effect;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Subgraph;
import java.util.BitSet;

/**
 * The proper back-door graph of X and Y (van der Zander, Liskiewicz and Textor 2014): the graph
 * without the first edges of proper causal paths.
 *
 * @param graph G without the edges from X into PCP
 * @param forbidden Dpcp, the descendants of PCP, which no adjustment set may contain
 */
record ProperBackdoor(Subgraph graph, BitSet forbidden) {
  /** PCP are the nodes outside X on a causal path from X to Y that meets X only at its start. */
  static ProperBackdoor of(CausalGraph graph, BitSet x, BitSet y) {
    Subgraph held = graph.whole().cutInto(x);
    BitSet pcp = Bits.and(Bits.minus(held.descendants(x), x), held.cutOutOf(x).ancestors(y));
    return new ProperBackdoor(graph.whole().withoutEdges(x, pcp), held.descendants(pcp));
  }
}
