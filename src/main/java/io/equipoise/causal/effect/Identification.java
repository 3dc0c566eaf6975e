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
import java.util.Set;

/**
 * Identifies effects from the distribution P(v) of unselected data: ID by c-factors (Tian and Pearl
 * 2003) and IDC for conditional effects (Shpitser and Pearl 2006). Both are complete: effects that
 * they do not identify are not identifiable. Latent nodes and a selection node are projected out.
 * Formulas are pooled.
 *
 * <p>Immutable. Unknown names and overlapping or unobserved sets cause a {@link GraphException}.
 */
public final class Identification {
  private final CausalGraph original;
  private final CausalGraph graph;
  private final Subgraph whole;
  private final CFactors factors;
  private final Pooling pooling;

  private Identification(CausalGraph original) {
    this.original = original;
    this.graph = unselected(original).projected();
    this.whole = graph.whole();
    this.factors = new CFactors(graph);
    this.pooling = Pooling.of(graph);
  }

  public static Identification of(CausalGraph graph) {
    return new Identification(graph);
  }

  /** Returns P(y | do(x)). */
  public IdentifiedEffect effect(Collection<String> y, Collection<String> x) {
    return factorized(y, x).effect();
  }

  /** Returns P(y | do(x), given). */
  public IdentifiedEffect effect(
      Collection<String> y, Collection<String> x, Collection<String> given) {
    Query.of(original, y, x, given);
    BitSet held = graph.bits(x);
    BitSet context = graph.bits(given);
    BitSet outcome = graph.bits(y);
    for (int next = exchangeable(outcome, held, context);
        next >= 0;
        next = exchangeable(outcome, held, context)) {
      held = Bits.or(held, Bits.of(next));
      context = Bits.minus(context, Bits.of(next));
    }
    IdentifiedEffect joint = factorized(Bits.or(outcome, context), held).effect();
    if (context.isEmpty() || joint instanceof IdentifiedEffect.NotIdentified) {
      return joint;
    }
    Estimand formula = joint.estimand().orElseThrow();
    return new IdentifiedEffect.Identified(formula.over(formula.summed(y)));
  }

  /** Returns P(y | do(x)) with its c-factors. */
  public Factorization factorized(Collection<String> y, Collection<String> x) {
    Query query = Query.of(original, y, x, List.of());
    return factorized(graph.bits(original.named(query.y())), graph.bits(original.named(query.x())));
  }

  /**
   * Returns Q[C] from Q[T]. If C consists of several c-components, all of them must follow. The
   * formula is in terms of P(v), which determines Q[T].
   */
  public IdentifiedEffect factor(Collection<String> c, Collection<String> t) {
    BitSet part = graph.bits(c);
    BitSet within = graph.bits(t);
    if (part.isEmpty() || !Bits.isWithin(part, within)) {
      throw new GraphException("C = " + c + " is empty or not part of T = " + t);
    }
    Estimand known = q(within);
    List<Factorization.Factor> found = new ArrayList<>();
    for (BitSet component : whole.within(part).components()) {
      BitSet around = whole.within(within).component(component.nextSetBit(0));
      Estimand q = factors.component(around, within, known);
      IdentifiedEffect identifiedEffect = factors.identify(component, around, q);
      found.add(new Factorization.Factor(graph.named(component), identifiedEffect));
    }
    return pooled(Factorization.effect(found, Set.of()));
  }

  /** Q[T] in terms of P(v) where T is made of c-components of G; else P(t | its parents). */
  private Estimand q(BitSet t) {
    List<Estimand> known = new ArrayList<>();
    BitSet all = whole.nodes();
    Estimand joint = Estimand.probability(graph.nodes(), List.of(), false);
    for (BitSet component : whole.components()) {
      if (component.intersects(t)) {
        if (!Bits.isWithin(component, t)) {
          BitSet parents = Bits.minus(whole.parents(t), t);
          return Estimand.unknown("Q" + graph.named(t), graph.named(Bits.or(t, parents)));
        }
        known.add(factors.component(component, all, joint));
      }
    }
    return Estimand.product(known);
  }

  private Factorization factorized(BitSet y, BitSet x) {
    BitSet all = whole.nodes();
    Estimand joint = Estimand.probability(graph.nodes(), List.of(), false);
    BitSet d = whole.without(x).ancestors(y);
    List<Factorization.Factor> found = new ArrayList<>();
    for (BitSet component : whole.within(d).components()) {
      BitSet around = whole.component(component.nextSetBit(0));
      IdentifiedEffect identifiedEffect =
          factors.identify(component, around, factors.component(around, all, joint));
      found.add(new Factorization.Factor(graph.named(component), pooled(identifiedEffect)));
    }
    return Factorization.of(found, graph.named(Bits.minus(d, y)));
  }

  /** Returns a member of the context that rule 2 turns into an intervention, or -1. */
  private int exchangeable(BitSet y, BitSet x, BitSet c) {
    for (int node = c.nextSetBit(0); node >= 0; node = c.nextSetBit(node + 1)) {
      BitSet one = Bits.of(node);
      BitSet given = Bits.or(x, Bits.minus(c, one));
      if (whole.cutInto(x).cutOutOf(one).separated(y, one, given)) {
        return node;
      }
    }
    return -1;
  }

  private IdentifiedEffect pooled(IdentifiedEffect identifiedEffect) {
    return identifiedEffect
        .estimand()
        .<IdentifiedEffect>map(it -> new IdentifiedEffect.Identified(pooling.reduced(it)))
        .orElse(identifiedEffect);
  }

  private static CausalGraph unselected(CausalGraph graph) {
    return graph.selection().isEmpty() ? graph : graph.withSelectionLatent();
  }
}
