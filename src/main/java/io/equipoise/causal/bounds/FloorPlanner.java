package io.equipoise.causal.bounds;

import static java.util.Collections.disjoint;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.estimand.Estimand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Plans the bounds on P_x(y | c) that need no assumption about confounding (Robins 1989, Manski
 * 1990), and those that an instrument adds: {@link BoundFormula.NoAssumption}.
 *
 * <p>Rule 1 of the do-calculus drops context variables that do not matter under do(x). Rule 2 turns
 * do(b) into a condition for the largest part b of the arm that allows it; a is the rest. Where no
 * condition is a descendant of a, Y under do(a) equals Y in the rows with a, and is any number in
 * all other rows. Variables W are averaged out with known weights, and every level of an instrument
 * Z, of which Y is independent under do(a) given the other conditions, has a bound of its own. The
 * proofs are in docs/policies/causal-bounds.md#the-floor.
 */
final class FloorPlanner {
  private static final int MOST_CANDIDATES = 8;

  private final CausalGraph graph;
  private final ChainPlanner chains;
  private final int maxSize;

  FloorPlanner(CausalGraph graph, ChainPlanner chains, int maxSize) {
    this.graph = graph.projected();
    this.chains = chains;
    this.maxSize = maxSize;
  }

  /** Returns all bounds with at most so many variables W and Z; none if counts have none. */
  List<BoundPart> parts(BoundQuery query) {
    BitSet y = graph.bits(List.of(query.outcome()));
    BitSet x = graph.bits(query.arm());
    BitSet c = relevant(y, x, graph.bits(query.context()), new BitSet());
    BitSet after = graph.whole().descendants(x);
    BitSet candidates = nearest(Bits.minus(graph.observedBits(), y, x, c, after));
    List<BoundPart> parts = new ArrayList<>();
    for (List<String> w : chains.subsets(candidates, maxSize)) {
      BitSet means = graph.bits(w);
      Set<String> set = after.intersects(c) ? graph.named(x) : Set.of();
      List<Optional<Estimand>> weights = chains.weights(w, set, graph.named(c));
      BitSet given = Bits.or(relevant(y, x, c, means), means);
      if (weights.stream().allMatch(Optional::isPresent)) {
        for (BitSet a : confounded(y, x, given)) {
          add(y, a, Bits.or(Bits.minus(x, a), given), w, weights, parts);
        }
      }
    }
    return parts;
  }

  /** Keeps the last few nodes in topological order, so that plans of large graphs stay small. */
  private BitSet nearest(BitSet nodes) {
    int[] sorted = graph.sorted(nodes);
    int from = Math.max(0, sorted.length - MOST_CANDIDATES);
    return Bits.of(Arrays.copyOfRange(sorted, from, sorted.length));
  }

  /** Drops from c what P_x(y | c, w) does not depend on (rule 1). */
  private BitSet relevant(BitSet y, BitSet x, BitSet c, BitSet w) {
    BitSet kept = c;
    int[] order = graph.sorted(c);
    for (int i = order.length - 1; i >= 0; i--) {
      BitSet one = Bits.of(order[i]);
      BitSet others = Bits.minus(kept, one);
      if (graph.whole().cutInto(x).separated(y, one, Bits.or(x, others, w))) {
        kept = others;
      }
    }
    return kept;
  }

  /** Returns the smallest parts of the arm whose rest may be observed instead of set (rule 2). */
  private List<BitSet> confounded(BitSet y, BitSet x, BitSet given) {
    List<BitSet> found = new ArrayList<>();
    for (List<String> part : chains.subsets(x, x.cardinality())) {
      BitSet a = graph.bits(part);
      boolean isSmallest = found.isEmpty() || found.get(0).cardinality() == part.size();
      BitSet b = Bits.minus(x, a);
      if (isSmallest
          && !a.isEmpty()
          && graph.whole().cutInto(a).cutOutOf(b).separated(y, b, Bits.or(a, given))) {
        found.add(a);
      }
    }
    return found;
  }

  private void add(
      BitSet y,
      BitSet a,
      BitSet given,
      List<String> w,
      List<Optional<Estimand>> weights,
      List<BoundPart> parts) {
    BitSet descendants = graph.whole().descendants(a);
    if (descendants.intersects(given)) {
      return;
    }
    BitSet dependent = graph.whole().cutInto(a).reached(y, Bits.or(a, given));
    BitSet instruments = Bits.minus(graph.observedBits(), descendants, given, y, dependent);
    instruments.and(graph.whole().reached(Bits.or(y, a), given)); // others say nothing of the rows
    instruments = nearest(instruments);
    for (List<String> z : chains.subsets(instruments, maxSize - w.size())) {
      if (!z.isEmpty() || w.isEmpty()) {
        joint(y, a, Bits.or(given, graph.bits(z)))
            .filter(it -> it.free().containsAll(z))
            .ifPresent(it -> parts.add(part(y, a, w, z, weights, it)));
      }
    }
  }

  private BoundPart part(
      BitSet y,
      BitSet a,
      List<String> w,
      List<String> z,
      List<Optional<Estimand>> weights,
      Estimand joint) {
    BoundFormula floor =
        new BoundFormula.NoAssumption(
            joint, graph.name(y.nextSetBit(0)), List.copyOf(graph.named(a)), z);
    List<String> used = new ArrayList<>(w);
    used.addAll(z);
    return new BoundPart(used, Chain.formula(w, weights, floor));
  }

  /**
   * Returns P(a, y | given) in the population, or P(y | a, given) P(a | given); never in terms of
   * probabilities given y, so that a mean can replace the probability of y.
   */
  private Optional<Estimand> joint(BitSet y, BitSet a, BitSet given) {
    Set<String> conditions = graph.named(given);
    Optional<Estimand> joint = chains.recovered(graph.named(Bits.or(y, a)), Set.of(), conditions);
    if (joint.isEmpty()) {
      Optional<Estimand> arm = chains.recovered(graph.named(a), Set.of(), conditions);
      joint =
          chains
              .recovered(graph.named(y), Set.of(), graph.named(Bits.or(a, given)))
              .flatMap(outcome -> arm.map(outcome::times));
    }
    Set<String> outcome = graph.named(y);
    return joint.filter(
        it -> it.probabilities().stream().allMatch(p -> disjoint(p.given(), outcome)));
  }
}
