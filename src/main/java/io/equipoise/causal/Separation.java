package io.equipoise.causal;

import java.util.BitSet;
import java.util.Collection;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Decides m-separation, and finds separators, in a {@link CausalGraph}.
 *
 * <p>A path is open given Z if each of its colliders is an ancestor of Z (reflexively) and no other
 * inner node is in Z (Pearl 1988; Richardson 2003 for bidirected edges). Members of Z are first
 * removed from X and Y; if X and Y then share a node, they are not separated. Latent nodes are
 * ordinary nodes here.
 */
public final class Separation {
  private Separation() {}

  /** Returns whether no path between {@code x} and {@code y} is open given {@code z}. O(n + m). */
  public static boolean separated(
      CausalGraph graph, Collection<String> x, Collection<String> y, Collection<String> z) {
    return openPath(graph, x, y, z).isEmpty();
  }

  /**
   * Returns a shortest path from {@code x} to {@code y} that is open given {@code z}, written like
   * {@code X1 -> I1 <- A2}; empty if they are separated.
   */
  public static Optional<String> openPath(
      CausalGraph graph, Collection<String> x, Collection<String> y, Collection<String> z) {
    BitSet given = graph.bits(z);
    BitSet sources = graph.bits(x);
    BitSet targets = graph.bits(y);
    sources.andNot(given);
    targets.andNot(given);
    Reachability reached = new Reachability(graph.whole(), sources, given);
    return reached.first(targets).map(reached::path);
  }

  /** Gives every excluded node an infinite capacity. */
  static double[] capacities(CausalGraph graph, ToDoubleFunction<String> cost, BitSet cuttable) {
    double[] capacity = new double[graph.size()];
    for (int node = 0; node < capacity.length; node++) {
      capacity[node] = Double.POSITIVE_INFINITY;
      if (cuttable.get(node)) {
        capacity[node] = cost.applyAsDouble(graph.name(node));
        if (!(capacity[node] > 0 && capacity[node] < Double.POSITIVE_INFINITY)) {
          throw new GraphException(
              "cost of \"" + graph.name(node) + "\" is " + capacity[node] + ", must be positive");
        }
      }
    }
    return capacity;
  }
}
