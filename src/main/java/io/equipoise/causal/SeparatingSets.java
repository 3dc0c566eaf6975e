package io.equipoise.causal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Finds the variables W over which a policy can tabulate the reward (Huang, Zhang and Wu 2022,
 * d-separation set): reward independent of features \ W given W.
 *
 * <p>The table has one cell for each joint value of W, so the best W has the smallest product of
 * domain sizes. (Minimizing the mediators Z = W \ features instead, as Algorithm 1 line 2 reads,
 * would always choose W = features.)
 *
 * <p>Why a cut is exact although the features in W leave the side to be separated: only subsets of
 * A = An(features u reward) matter (van der Zander and Liskiewicz 2020: with I = W n features, a
 * separator may be intersected with An of both sides and I, which is A). For each of them the test
 * is plain separation in one undirected graph, the augmented graph of A, where a feature may itself
 * be cut. So separation is monotone here, minimal sets are what no single variable can leave, and
 * the cheapest set is a vertex cut between features and reward.
 */
public final class SeparatingSets {
  /** Limit of undecided variables for trying all subsets: 2^20 in under a second. */
  static final int MAX_ENUMERATED = 20;

  private static final Comparator<SeparatingSet> BY_COST =
      Comparator.comparingLong(SeparatingSet::domainSize)
          .thenComparingLong(SeparatingSet::mediatorDomainSize)
          .thenComparingInt(set -> set.variables().size())
          .thenComparing(SeparatingSet::variables, SeparatingSets::compareNames);

  private final CausalGraph graph;
  private final BitSet features;
  private final BitSet candidates;
  private final int reward;
  private final ToLongFunction<String> domainSize;

  private SeparatingSets(
      CausalGraph graph,
      Collection<String> features,
      String reward,
      Collection<String> candidates,
      ToLongFunction<String> domainSize) {
    this.graph = graph;
    this.features = graph.bits(features);
    this.candidates = graph.bits(candidates);
    this.reward = graph.indexOf(reward);
    this.domainSize = domainSize;
    refuse(this.candidates.get(this.reward), "the reward \"" + reward + "\" is a candidate");
    refuse(
        this.candidates.intersects(graph.latentBits()),
        "candidates must be observed, but latent are " + graph.latents());
    BitSet outside = (BitSet) this.features.clone();
    outside.andNot(this.candidates);
    refuse(!outside.isEmpty(), "features that are no candidates: " + graph.named(outside));
  }

  /**
   * Returns the separating set with the fewest joint values. Ties are broken by fewest joint values
   * of the mediators, then fewest variables, then names.
   *
   * <p>All features are candidates, so there always is one. If more than {@value #MAX_ENUMERATED}
   * variables are undecided, ties are broken by the cut nearest to the features instead of by name,
   * and differences below one in 10^6 count as ties.
   */
  public static SeparatingSet cheapest(
      CausalGraph graph,
      Collection<String> features,
      String reward,
      Collection<String> candidates,
      ToLongFunction<String> domainSize) {
    SeparatingSets sets = new SeparatingSets(graph, features, reward, candidates, domainSize);
    RewardCuts cuts = sets.cuts();
    return cuts.undecided() <= MAX_ENUMERATED
        ? sets.sorted(cuts.minimal()).get(0)
        : sets.described(sets.minimumCut());
  }

  /** As {@link #cheapest}, always by minimum cut. */
  static SeparatingSet cheapestByCut(
      CausalGraph graph,
      Collection<String> features,
      String reward,
      Collection<String> candidates,
      ToLongFunction<String> domainSize) {
    SeparatingSets sets = new SeparatingSets(graph, features, reward, candidates, domainSize);
    return sets.described(sets.minimumCut());
  }

  /**
   * Returns every inclusion-minimal separating set, cheapest first.
   *
   * @throws GraphException if more than {@value #MAX_ENUMERATED} variables are undecided
   */
  public static List<SeparatingSet> minimal(
      CausalGraph graph,
      Collection<String> features,
      String reward,
      Collection<String> candidates,
      ToLongFunction<String> domainSize) {
    SeparatingSets sets = new SeparatingSets(graph, features, reward, candidates, domainSize);
    RewardCuts cuts = sets.cuts();
    refuse(
        cuts.undecided() > MAX_ENUMERATED,
        cuts.undecided() + " undecided variables are too many to list, at most " + MAX_ENUMERATED);
    return sets.sorted(cuts.minimal());
  }

  /**
   * Explains why a W does not separate.
   *
   * @param features features that still affect the reward, in declaration order
   * @param openPath an open path from the first of them
   */
  public record Leak(List<String> features, String openPath) {}

  /**
   * Returns why {@code w} does not separate {@code features} from {@code reward}; empty if it does.
   */
  public static Optional<Leak> verify(
      CausalGraph graph, Collection<String> features, String reward, Collection<String> w) {
    refuse(w.contains(reward), "the reward \"" + reward + "\" is in W");
    List<String> leaking = new ArrayList<>();
    String firstPath = "";
    for (String feature : graph.named(graph.bits(features))) {
      Optional<String> path = Separation.openPath(graph, List.of(feature), List.of(reward), w);
      if (path.isPresent() && leaking.isEmpty()) {
        firstPath = path.get();
      }
      path.ifPresent(found -> leaking.add(feature));
    }
    return leaking.isEmpty() ? Optional.empty() : Optional.of(new Leak(leaking, firstPath));
  }

  private RewardCuts cuts() {
    return new RewardCuts(augmented(), features, candidates, reward);
  }

  private AugmentedGraph augmented() {
    BitSet relevant = (BitSet) features.clone();
    relevant.set(reward);
    Subgraph whole = graph.whole();
    return new AugmentedGraph(whole.within(whole.ancestors(relevant)));
  }

  /** The second and third criterion are much smaller parts of the same capacity. */
  private BitSet minimumCut() {
    double[] capacity = Separation.capacities(graph, this::capacity, candidates);
    BitSet sink = new BitSet();
    sink.set(reward);
    return new VertexCut(augmented(), features, sink, capacity).minimum().orElseThrow();
  }

  private double capacity(String name) {
    double log = Math.log((double) domain(name));
    return log + (features.get(graph.indexOf(name)) ? 0 : 1e-9 * log) + 1e-12;
  }

  private long domain(String name) {
    long size = domainSize.applyAsLong(name);
    refuse(size < 1, "domain size of \"" + name + "\" is " + size);
    return size;
  }

  private List<SeparatingSet> sorted(List<BitSet> sets) {
    return sets.stream().map(this::described).sorted(BY_COST).toList();
  }

  private SeparatingSet described(BitSet set) {
    BitSet mediators = (BitSet) set.clone();
    mediators.andNot(features);
    List<String> w = graph.named(set).stream().sorted().toList();
    List<String> z = graph.named(mediators).stream().sorted().toList();
    return new SeparatingSet(w, product(w), z, product(z));
  }

  private long product(List<String> names) {
    long product = 1;
    for (String name : names) {
      long size = domain(name);
      product = product > Long.MAX_VALUE / size ? Long.MAX_VALUE : product * size;
    }
    return product;
  }

  private static int compareNames(List<String> one, List<String> other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      int order = one.get(i).compareTo(other.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(one.size(), other.size());
  }

  private static void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw new GraphException(message);
    }
  }
}
