package io.equipoise.causal.bounds;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.Subgraph;
import io.equipoise.causal.effect.Pooling;
import io.equipoise.causal.effect.SelectionRecovery;
import io.equipoise.causal.estimand.Estimand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds chains for P_x(y | c) from a graph; see {@link Chain}. */
final class ChainPlanner {
  private final CausalGraph graph;
  private final SelectionRecovery selectionRecovery;
  private final Pooling pooling;
  private final BitSet census;
  private final Map<List<Set<String>>, Optional<Estimand>> known = new HashMap<>();

  /** {@code census} names the variables that are measured jointly in unselected rows. */
  ChainPlanner(CausalGraph graph, Collection<String> census) {
    this.graph = graph.projected();
    this.selectionRecovery = SelectionRecovery.of(graph);
    this.pooling = Pooling.of(graph);
    this.census = this.graph.bits(census);
  }

  /** Returns all chains of at most so many variables, shorter ones first; stops at W = {}. */
  List<Chain> chains(String y, Collection<String> x, Collection<String> c, int maxSize) {
    BitSet question = Bits.or(graph.bits(List.of(y)), graph.bits(x), graph.bits(c));
    int[] candidates = graph.sorted(Bits.minus(graph.observedBits(), question));
    List<Chain> chains = new ArrayList<>();
    for (int size = 0; size <= Math.min(maxSize, candidates.length); size++) {
      for (List<String> w : subsetsOf(candidates, size)) {
        chain(y, x, c, w).ifPresent(chains::add);
      }
      if (size == 0 && !chains.isEmpty()) {
        return chains;
      }
    }
    return chains;
  }

  /** Returns the chain over {@code w} in this order; empty if P_x(y | c, w) is not recovered. */
  Optional<Chain> chain(String y, Collection<String> x, Collection<String> c, List<String> w) {
    List<String> given = new ArrayList<>(c);
    given.addAll(w);
    return recovered(Set.of(y), x, given).map(value -> new Chain(w, weights(w, x, c), value));
  }

  /** Returns P_x(w_j | c, w_1 ... w_j-1) for each of W; empty ones are not recovered. */
  List<Optional<Estimand>> weights(List<String> w, Collection<String> x, Collection<String> c) {
    List<Optional<Estimand>> weights = new ArrayList<>();
    List<String> given = new ArrayList<>(c);
    for (String one : w) {
      weights.add(recovered(Set.of(one), x, given));
      given.add(one);
    }
    return weights;
  }

  /** Returns P_x(y | given) in the population, if the rows determine it. */
  Optional<Estimand> recovered(Set<String> y, Collection<String> x, Collection<String> given) {
    BitSet c = graph.bits(given);
    return known.computeIfAbsent(
        List.of(y, Set.copyOf(x), graph.named(c)),
        key -> {
          Optional<Estimand> counted = counted(graph.bits(y), graph.bits(x), c);
          return counted.isPresent() ? counted : selectionRecovery.effect(y, x, given).estimand();
        });
  }

  /**
   * Returns P(y | c) of the unselected rows if do(x) has no effect on it (rule 3) and they measure
   * all variables in it.
   */
  private Optional<Estimand> counted(BitSet y, BitSet x, BitSet c) {
    if (!Bits.isWithin(y, census)) {
      return Optional.empty();
    }
    Subgraph whole = graph.whole();
    BitSet notAbove = Bits.minus(x, whole.ancestors(c));
    if (!whole.cutInto(notAbove).separated(y, x, c)) {
      return Optional.empty();
    }
    Set<String> needed = pooling.reduced(graph.named(y), graph.named(c), false);
    return Bits.isWithin(graph.bits(needed), census)
        ? Optional.of(Estimand.probability(graph.named(y), needed, false))
        : Optional.empty();
  }

  /** Lists the subsets of at most so many nodes, smaller ones first. */
  List<List<String>> subsets(BitSet candidates, int maxSize) {
    int[] sorted = graph.sorted(candidates);
    List<List<String>> subsets = new ArrayList<>();
    for (int size = 0; size <= Math.min(maxSize, sorted.length); size++) {
      choose(sorted, 0, size, new ArrayList<>(), subsets);
    }
    return subsets;
  }

  /** Lists the subsets of one size, in the order of their first members. */
  private List<List<String>> subsetsOf(int[] candidates, int size) {
    List<List<String>> subsets = new ArrayList<>();
    choose(candidates, 0, size, new ArrayList<>(), subsets);
    return subsets;
  }

  private void choose(
      int[] candidates, int from, int left, List<String> chosen, List<List<String>> subsets) {
    if (left == 0) {
      subsets.add(List.copyOf(chosen));
      return;
    }
    for (int i = from; i <= candidates.length - left; i++) {
      chosen.add(graph.name(candidates[i]));
      choose(candidates, i + 1, left - 1, chosen, subsets);
      chosen.remove(chosen.size() - 1);
    }
  }
}
