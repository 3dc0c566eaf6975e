package io.equipoise.causal.bounds;

import io.equipoise.causal.Bits;
import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.GraphException;
import io.equipoise.causal.effect.Adjustment;
import io.equipoise.causal.effect.AdjustmentSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds surrogate interventions (Huang and Wu 2023, Algorithm 3): sets W with P_x(y | w) =
 * P_{x,w}(y), which adjustment recovers. Then P_x(y) is between the smallest and the largest
 * P_{x,w}(y) over w.
 *
 * <p>The published algorithm requires only the adjustment. Without the exchange condition (Y and W
 * are separated by X in the graph without edges into X and out of W), its bounds can exclude the
 * truth. This class requires both.
 */
public final class FindRsi {
  private final CausalGraph graph;
  private final List<String> y;
  private final List<String> x;

  private FindRsi(CausalGraph graph, Collection<String> y, Collection<String> x) {
    this.graph = graph;
    this.y = List.copyOf(y);
    this.x = List.copyOf(x);
  }

  /** Starts for P_x(y); a context is part of y. */
  public static FindRsi of(CausalGraph graph, Collection<String> y, Collection<String> x) {
    return new FindRsi(graph, y, x);
  }

  /**
   * An admissible set.
   *
   * @param w W, in declaration order
   * @param adjustment covariates for P_{x,w}(y)
   */
  public record Surrogate(Set<String> w, AdjustmentSet adjustment) {}

  /** Returns whether P_x(y | w) = P_{x,w}(y) (rule 2). */
  public boolean isExchangeable(Collection<String> w) {
    BitSet held = graph.bits(x);
    BitSet surrogates = graph.bits(w);
    return graph
        .whole()
        .cutInto(held)
        .cutOutOf(surrogates)
        .separated(graph.bits(y), surrogates, held);
  }

  /** Returns a minimal covariate set of type 1 for P_{x,w}(y). */
  public Optional<AdjustmentSet> adjustment(Collection<String> w) {
    return adjusting(w).minimal();
  }

  /** Returns whether these covariates are admissible for P_{x,w}(y). */
  public boolean isAdjustment(Collection<String> w, Collection<String> covariates) {
    return adjusting(w).isAdmissible(covariates);
  }

  /** Returns the set with its covariates, if it is admissible. */
  public Optional<Surrogate> surrogate(Collection<String> w) {
    return isExchangeable(w)
        ? adjustment(w).map(set -> new Surrogate(graph.named(graph.bits(w)), set))
        : Optional.empty();
  }

  /** Returns all admissible sets of at most the given number of variables, smaller ones first. */
  public List<Surrogate> surrogates(int maxSize) {
    BitSet question = Bits.or(graph.bits(y), graph.bits(x));
    List<String> candidates = List.copyOf(graph.named(Bits.minus(graph.observedBits(), question)));
    List<Surrogate> found = new ArrayList<>();
    for (int size = 0; size <= Math.min(maxSize, candidates.size()); size++) {
      search(candidates, 0, size, new ArrayList<>(), found);
    }
    return found;
  }

  private void search(
      List<String> candidates, int from, int left, List<String> w, List<Surrogate> found) {
    if (left == 0) {
      surrogate(w).ifPresent(found::add);
      return;
    }
    for (int i = from; i <= candidates.size() - left; i++) {
      w.add(candidates.get(i));
      search(candidates, i + 1, left - 1, w, found);
      w.remove(w.size() - 1);
    }
  }

  private Adjustment adjusting(Collection<String> w) {
    List<String> held = new ArrayList<>(x);
    for (String name : w) {
      if (held.contains(name)) {
        throw new GraphException("\"" + name + "\" is both in W and intervened upon");
      }
      held.add(name);
    }
    return Adjustment.of(graph, y, held);
  }
}
