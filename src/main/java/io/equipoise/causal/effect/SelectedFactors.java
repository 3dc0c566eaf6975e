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
 * RC (Bareinboim and Tian 2015): c-factors from P(v | S=1).
 *
 * <p>A c-component without an ancestor of S is free of selection: its factors P(v_j | v^(j-1), S=1)
 * are P(v_j | v^(j-1)). Such components are identified or divided out. The rest is unnormalized and
 * may depend on divided-out variables, on which its ratios do not depend.
 */
final class SelectedFactors {
  private final CausalGraph graph;
  private final Subgraph whole;
  private final CFactors factors;
  private final Estimand observed;

  /** Takes a graph without latent nodes; without a selection node all data are unselected. */
  SelectedFactors(CausalGraph graph) {
    this.graph = graph;
    this.whole = graph.whole();
    this.factors = new CFactors(graph);
    this.observed =
        Estimand.probability(graph.observed(), List.of(), graph.selection().isPresent());
  }

  /** Returns Q[E], E being a c-component of some G[D]. */
  IdentifiedEffect recovered(BitSet e) {
    return recovered(e, whole.nodes(), observed);
  }

  private IdentifiedEffect recovered(BitSet e, BitSet nodes, Estimand p) {
    Subgraph within = whole.within(nodes);
    BitSet selected = within.ancestors(graph.selectionBits());
    BitSet kept = Bits.or(within.ancestors(e), selected);
    if (!kept.equals(nodes)) {
      return recovered(e, kept, p.summed(graph.named(Bits.minus(nodes, kept))));
    }
    BitSet observedNodes = Bits.minus(nodes, graph.selectionBits());
    List<Estimand> free = new ArrayList<>();
    BitSet left = (BitSet) nodes.clone();
    for (BitSet component : within.components()) {
      if (!component.intersects(selected)) {
        Estimand q = factors.component(component, observedNodes, p);
        if (CFactors.isLarge(q)) {
          return CFactors.large(graph.named(e));
        }
        if (Bits.isWithin(e, component)) {
          return factors.identify(e, component, q);
        }
        free.add(q);
        left.andNot(component);
      }
    }
    return free.isEmpty()
        ? bound(graph.named(e))
        : recovered(e, left, p.over(Estimand.product(free)));
  }

  private static IdentifiedEffect.NotIdentified bound(Set<String> factor) {
    return new IdentifiedEffect.NotIdentified(
        "Q"
            + factor
            + " does not follow from the selected rows: every c-component that is left"
            + " contains an ancestor of the selection node",
        factor,
        Set.of());
  }
}
