package io.equipoise.causal;

import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Finds separators of two sets of nodes, for example {@code Separators.between(graph, x,
 * y).including(i).among(r).minimal()}.
 *
 * <p>By default no node must be in a separator, and all observed nodes may. Latent nodes and the
 * selection node may be requested by name. X, Y and included nodes must be disjoint. Immutable;
 * sets iterate in declaration order. See {@link SeparatorSearch} for algorithms and costs.
 */
public final class Separators {
  private final CausalGraph graph;
  private final BitSet x;
  private final BitSet y;
  private final BitSet include;
  private final BitSet restrict;

  private Separators(CausalGraph graph, BitSet x, BitSet y, BitSet include, BitSet restrict) {
    this.graph = graph;
    this.x = x;
    this.y = y;
    this.include = include;
    this.restrict = restrict;
  }

  /** Starts a search for separators of {@code x} and {@code y} among all observed nodes. */
  public static Separators between(CausalGraph graph, Collection<String> x, Collection<String> y) {
    return new Separators(graph, graph.bits(x), graph.bits(y), new BitSet(), graph.observedBits());
  }

  /** Requires separators that contain all of {@code nodes}. */
  public Separators including(Collection<String> nodes) {
    return new Separators(graph, x, y, graph.bits(nodes), restrict);
  }

  /** Restricts separators to {@code nodes}. */
  public Separators among(Collection<String> nodes) {
    return new Separators(graph, x, y, include, graph.bits(nodes));
  }

  /** Returns some separator; empty if there is none. */
  public Optional<Set<String>> any() {
    return search().any().map(graph::named);
  }

  /** Returns an inclusion-minimal separator. */
  public Optional<Set<String>> minimal() {
    return search().minimal().map(graph::named);
  }

  /** Returns a separator of least total cost, for example the log of the domain size. */
  public Optional<Set<String>> cheapest(ToDoubleFunction<String> cost) {
    return search().cheapest(cost).map(graph::named);
  }

  /** Returns all separators one by one; there may be exponentially many. */
  public Stream<Set<String>> all() {
    return stream(search().all()).map(graph::named);
  }

  /** Returns all inclusion-minimal separators, one by one. */
  public Stream<Set<String>> allMinimal() {
    return stream(search().allMinimal()).map(graph::named);
  }

  private SeparatorSearch search() {
    return new SeparatorSearch(graph.whole(), x, y, include, restrict);
  }

  private static <T> Stream<T> stream(Iterator<T> iterator) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(iterator, Spliterator.ORDERED), false);
  }
}
