package io.equipoise.causal.effect;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.Subgraph;
import io.equipoise.causal.estimand.Estimand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Recovers effects in the population from P(v | S=1), the selected rows alone: RC (Bareinboim and
 * Tian 2015; complete by Correa, Tian and Bareinboim 2019), and for conditional effects two routes
 * that complement each other. On a graph without a selection node the data are P(v).
 *
 * <p>Formulas are pooled. Immutable. Unknown names and overlapping or unobserved sets cause a
 * {@link GraphException}.
 */
public final class SelectionRecovery {
  private final CausalGraph original;
  private final CausalGraph graph;
  private final Subgraph whole;
  private final BitSet selection;
  private final SelectedFactors factors;
  private final Pooling pooling;

  private SelectionRecovery(CausalGraph original) {
    this.original = original;
    this.graph = original.projected();
    this.whole = graph.whole();
    this.selection = graph.selectionBits();
    this.factors = new SelectedFactors(graph);
    this.pooling = Pooling.of(graph);
  }

  public static SelectionRecovery of(CausalGraph graph) {
    return new SelectionRecovery(graph);
  }

  /** Returns P(y | do(x)). */
  public IdentifiedEffect effect(Collection<String> y, Collection<String> x) {
    return factorized(y, x).effect();
  }

  /** Returns P(y | do(x)) with its c-factors, each recovered or not. */
  public Factorization factorized(Collection<String> y, Collection<String> x) {
    Query.of(original, y, x, List.of());
    BitSet outcome = graph.bits(y);
    BitSet d = whole.without(graph.bits(x)).ancestors(outcome);
    return Factorization.of(found(d), graph.named(Bits.minus(d, outcome, selection)));
  }

  /**
   * Returns P(y | do(x), given): directly as P(y | x, given, S=1) if the graph allows it, else by
   * the c-factors that do not cancel between P(y, given | do x) and P(given | do x), else, without
   * selection, by IDC. The distribution of {@code given} is never needed.
   */
  public IdentifiedEffect effect(
      Collection<String> y, Collection<String> x, Collection<String> given) {
    Query.of(original, y, x, given);
    BitSet outcome = graph.bits(y);
    BitSet held = graph.bits(x);
    BitSet context = graph.bits(given);
    Optional<Estimand> direct = direct(outcome, held, context);
    if (direct.isPresent()) {
      return new IdentifiedEffect.Identified(direct.get());
    }
    if (selection.isEmpty()) {
      return Identification.of(graph).effect(y, x, given);
    }
    return given.isEmpty() ? effect(y, x) : cancelled(outcome, held, context);
  }

  /**
   * Returns P(y | x, c, S=1) if selection is independent of y given x and c under intervention, and
   * observing x equals intervening on x (Correa and Bareinboim 2017, rules 1 and 2).
   */
  private Optional<Estimand> direct(BitSet y, BitSet x, BitSet c) {
    boolean isUnselected = whole.cutInto(x).separated(y, selection, Bits.or(x, c));
    if (!isUnselected || !whole.cutOutOf(x).separated(y, x, Bits.or(c, selection))) {
      return Optional.empty();
    }
    return Optional.of(
        pooling.reduced(
            Estimand.probability(
                graph.named(y), graph.named(Bits.or(x, c)), !selection.isEmpty())));
  }

  private IdentifiedEffect cancelled(BitSet y, BitSet x, BitSet c) {
    BitSet d = whole.without(x).ancestors(Bits.or(y, c));
    BitSet kept = kept(d, y, c);
    List<Factorization.Factor> found = new ArrayList<>();
    for (Factorization.Factor factor : found(d)) {
      if (graph.bits(factor.nodes()).intersects(kept)) {
        found.add(factor);
      }
    }
    IdentifiedEffect joint = Factorization.effect(found, graph.named(Bits.minus(kept, y, c)));
    return joint
        .estimand()
        .<IdentifiedEffect>map(
            it -> new IdentifiedEffect.Identified(it.over(it.summed(graph.named(y)))))
        .orElse(joint);
  }

  /** Returns the union of the c-components that variables outside c connect to y. */
  private BitSet kept(BitSet d, BitSet y, BitSet c) {
    List<BitSet> left = new ArrayList<>(whole.within(d).components());
    BitSet tied = (BitSet) y.clone();
    BitSet kept = new BitSet();
    boolean isGrowing = true;
    while (isGrowing) {
      isGrowing = false;
      for (BitSet component : List.copyOf(left)) {
        BitSet scope = Bits.or(component, whole.within(d).parents(component));
        scope.andNot(c);
        if (scope.intersects(tied)) {
          tied.or(scope);
          kept.or(component);
          left.remove(component);
          isGrowing = true;
        }
      }
    }
    return kept;
  }

  private List<Factorization.Factor> found(BitSet d) {
    List<Factorization.Factor> found = new ArrayList<>();
    for (BitSet component : whole.within(Bits.minus(d, selection)).components()) {
      IdentifiedEffect identifiedEffect =
          d.intersects(selection) ? selectionMatters(component) : factors.recovered(component);
      found.add(new Factorization.Factor(graph.named(component), pooled(identifiedEffect)));
    }
    return found;
  }

  /**
   * Q describes unselected worlds; if S is a cause of the query, rows with S=1 describe only one.
   */
  private IdentifiedEffect selectionMatters(BitSet component) {
    return new IdentifiedEffect.NotIdentified(
        "the selection node is itself a cause of a queried variable",
        graph.named(component),
        Set.of());
  }

  private IdentifiedEffect pooled(IdentifiedEffect identifiedEffect) {
    return identifiedEffect
        .estimand()
        .<IdentifiedEffect>map(it -> new IdentifiedEffect.Identified(pooling.reduced(it)))
        .orElse(identifiedEffect);
  }

  /**
   * Computes c-factors from P(v | S=1) by RC (Bareinboim and Tian 2015).
   *
   * <p>A c-component without an ancestor of S is free of selection: its factors P(v_j | v^(j-1),
   * S=1) are P(v_j | v^(j-1)). Such components are identified or divided out. The rest is
   * unnormalized and may depend on divided-out variables, on which its ratios do not depend.
   */
  private static final class SelectedFactors {
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
}
