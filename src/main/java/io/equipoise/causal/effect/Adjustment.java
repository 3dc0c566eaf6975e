package io.equipoise.causal.effect;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.SeparatorSearch;
import io.equipoise.causal.Subgraph;
import io.equipoise.causal.estimand.Estimand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Finds covariate adjustment for P(y | do(x)) under confounding and selection (Correa, Tian and
 * Bareinboim 2018).
 *
 * <p>(Z, Zt), Zt in Z measured without selection, is admissible iff three conditions are true. Z
 * meets none of X, Y and Dpcp. Z and S separate X and Y in the proper back-door graph. Zt separates
 * Y and S in it. Then P(y | do x) is the sum over z of P(y | x, z, S=1) P(z - zt | zt, S=1) P(zt).
 * Type 1 has Zt empty, type 2 has Zt = Z, type 3 is between. Without a selection node only the
 * first two conditions apply, which is the complete criterion of Shpitser, VanderWeele and Robins
 * 2010.
 *
 * <p>Latent nodes may be in the graph, not in Z. Immutable; sets contain names, in declaration
 * order. Unknown names and overlapping sets cause a {@link GraphException}.
 */
public final class Adjustment {
  private final CausalGraph graph;
  private final BitSet y;
  private final BitSet x;
  private final BitSet selection;
  private final BitSet allowed;
  private final BitSet include;
  private final ProperBackdoor backdoor;

  private Adjustment(CausalGraph graph, Query query, BitSet include) {
    this.graph = graph;
    this.y = query.y();
    this.x = query.x();
    this.include = include;
    selection = graph.selectionBits();
    backdoor = ProperBackdoor.of(graph, x, y);
    allowed = Bits.minus(graph.observedBits(), x, y, backdoor.forbidden());
    if (include.intersects(Bits.or(x, y))) {
      throw new GraphException("covariates overlap outcome or do: " + graph.named(include));
    }
  }

  public static Adjustment of(CausalGraph graph, Collection<String> y, Collection<String> x) {
    return new Adjustment(graph, Query.of(graph, y, x, List.of()), new BitSet());
  }

  /** Requires sets that contain all of {@code covariates}. */
  public Adjustment including(Collection<String> covariates) {
    Query query = new Query(y, x, new BitSet());
    return new Adjustment(graph, query, graph.bits(covariates));
  }

  /** Returns whether adjusting for {@code z} is valid with the selected rows only. */
  public boolean isAdmissible(Collection<String> z) {
    return violation(z, List.of()).isEmpty();
  }

  /**
   * Returns whether adjusting for {@code z} is valid with {@code external} known in the population.
   */
  public boolean isAdmissible(Collection<String> z, Collection<String> external) {
    return violation(z, external).isEmpty();
  }

  /** Returns the failed condition as a sentence; empty if the sets are admissible. */
  public Optional<String> violation(Collection<String> z, Collection<String> external) {
    BitSet covariates = graph.bits(z);
    BitSet outside = Bits.minus(covariates, allowed);
    if (!outside.isEmpty()) {
      return Optional.of(
          graph.named(outside)
              + " must not be adjusted for: unobserved, part of the query, or after a causal"
              + " path");
    }
    if (!Bits.isWithin(graph.bits(external), covariates)) {
      return Optional.of("external covariates " + external + " are not all in " + z);
    }
    if (!backdoor.graph().separated(x, y, Bits.or(covariates, selection))) {
      return Optional.of("a path that is not causal stays open between do and outcome");
    }
    if (!backdoor.graph().separated(y, selection, graph.bits(external))) {
      return Optional.of("selection still depends on the outcome");
    }
    return Optional.empty();
  }

  /** Returns the formula for an admissible set. */
  public Estimand estimand(AdjustmentSet set) {
    violation(set.covariates(), set.external())
        .ifPresent(
            fault -> {
              throw new GraphException(set + " is not admissible: " + fault);
            });
    boolean isSelected = !selection.isEmpty();
    Set<String> outcome = graph.named(y);
    BitSet z = graph.bits(set.covariates());
    BitSet zt = graph.bits(set.external());
    Pooling pooling = Pooling.of(graph);
    List<Estimand> factors = new ArrayList<>();
    factors.add(
        pooling.reduced(Estimand.probability(outcome, graph.named(Bits.or(x, z)), isSelected)));
    factors.add(Estimand.probability(graph.named(Bits.minus(z, zt)), set.external(), isSelected));
    factors.add(Estimand.probability(set.external(), List.of(), false));
    return Estimand.product(factors).summed(set.covariates());
  }

  /** Returns all sets of type 1, with polynomial delay; there may be exponentially many. */
  public Stream<AdjustmentSet> sets() {
    return isOutcomeFree() ? sets(search(new BitSet()).all(), new BitSet()) : Stream.empty();
  }

  /** Returns the minimal sets of type 1, with polynomial delay. */
  public Stream<AdjustmentSet> minimalSets() {
    return isOutcomeFree() ? sets(search(new BitSet()).allMinimal(), new BitSet()) : Stream.empty();
  }

  /** Returns some minimal set of type 1; O(n + m). */
  public Optional<AdjustmentSet> minimal() {
    return isOutcomeFree()
        ? search(new BitSet()).minimal().map(z -> set(z, new BitSet()))
        : Optional.empty();
  }

  /** Returns a set of type 1 of least cost; the log of the levels gives the smallest table. */
  public Optional<AdjustmentSet> cheapest(ToDoubleFunction<String> cost) {
    return isOutcomeFree()
        ? search(new BitSet()).cheapest(cost).map(z -> set(z, new BitSet()))
        : Optional.empty();
  }

  /**
   * Returns all sets of types 1 to 3 whose external part is among {@code measured}, which are known
   * without selection; with polynomial delay, grouped by external part.
   */
  public Stream<AdjustmentSet> sets(Collection<String> measured) {
    return externalParts(measured).flatMap(zt -> sets(search(zt).all(), zt));
  }

  /** As {@link #sets(Collection)}, only the minimal sets of each external part. */
  public Stream<AdjustmentSet> minimalSets(Collection<String> measured) {
    return externalParts(measured).flatMap(zt -> sets(search(zt).allMinimal(), zt));
  }

  /** Lists subsets of {@code measured} that make selection independent of the outcome. */
  private Stream<BitSet> externalParts(Collection<String> measured) {
    BitSet candidates = Bits.and(graph.bits(measured), allowed);
    if (selection.isEmpty()) {
      return Stream.of(new BitSet());
    }
    return stream(
        new SeparatorSearch(backdoor.graph(), y, selection, new BitSet(), candidates).all());
  }

  private Stream<AdjustmentSet> sets(Iterator<BitSet> found, BitSet zt) {
    return stream(found).map(z -> set(z, zt));
  }

  private AdjustmentSet set(BitSet z, BitSet zt) {
    return new AdjustmentSet(graph.named(Bits.minus(z, selection)), graph.named(zt));
  }

  private SeparatorSearch search(BitSet zt) {
    BitSet all = Bits.or(allowed, selection);
    return new SeparatorSearch(backdoor.graph(), x, y, Bits.or(include, selection, zt), all);
  }

  private boolean isOutcomeFree() {
    return backdoor.graph().separated(y, selection, new BitSet());
  }

  private static <T> Stream<T> stream(Iterator<T> iterator) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(iterator, Spliterator.ORDERED), false);
  }

  /**
   * Builds the proper back-door graph of X and Y (van der Zander, Liskiewicz and Textor 2014): the
   * graph without the first edges of proper causal paths.
   *
   * @param graph G without the edges from X into PCP
   * @param forbidden Dpcp, the descendants of PCP, which no adjustment set may contain
   */
  private record ProperBackdoor(Subgraph graph, BitSet forbidden) {
    /** PCP are the nodes outside X on a causal path from X to Y that meets X only at its start. */
    static ProperBackdoor of(CausalGraph graph, BitSet x, BitSet y) {
      Subgraph held = graph.whole().cutInto(x);
      BitSet pcp = Bits.and(Bits.minus(held.descendants(x), x), held.cutOutOf(x).ancestors(y));
      return new ProperBackdoor(graph.whole().withoutEdges(x, pcp), held.descendants(pcp));
    }
  }
}
