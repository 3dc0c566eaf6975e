package io.equipoise.causal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Lists all inclusion-minimal sets of candidates that separate the features from the reward in an
 * undirected graph; a feature in the set counts as separated.
 *
 * <p>First it reduces the graph. It eliminates nodes that are no candidates. Features adjacent to
 * the reward (including its parents) are in every set. Candidates that the reward cannot reach
 * afterwards are in none. The rest is undecided, and all its subsets are tried: {@code minimal}
 * costs O(2^undecided). none. The rest is undecided, and all its subsets are tried: {@code minimal}
 * costs O(2^undecided).
 */
final class RewardCuts {
  private final int[] undecided;
  private final BitSet always;
  private final int[] adjacent;
  private final int nextToReward;
  private final int featureMask;

  RewardCuts(AugmentedGraph graph, BitSet features, BitSet candidates, int reward) {
    BitSet strangers = (BitSet) graph.nodes().clone();
    strangers.andNot(candidates);
    strangers.clear(reward);
    strangers.stream().forEach(graph::eliminate);
    always = (BitSet) graph.adjacent(reward).clone();
    always.and(features);
    always.stream().forEach(graph::remove);
    BitSet reached = reached(graph, reward);
    reached.clear(reward);
    undecided = reached.stream().toArray();
    // Sets that exceed a mask are never tried; the caller checks the number first.
    adjacent = undecided.length > SeparatingSets.MAX_ENUMERATED ? new int[0] : masks(graph);
    nextToReward = mask(graph.adjacent(reward));
    featureMask = mask(features);
  }

  int undecided() {
    return undecided.length;
  }

  List<BitSet> minimal() {
    BitSet separates = new BitSet(1 << undecided.length);
    List<BitSet> minimal = new ArrayList<>();
    for (int set = 0; set < 1 << undecided.length; set++) {
      if (holdsSeparator(set, separates)) {
        separates.set(set);
      } else if (isCut(set)) {
        separates.set(set);
        minimal.add(named(set));
      }
    }
    return minimal;
  }

  /** Subsets have smaller numbers, so they have been tried before. */
  private static boolean holdsSeparator(int set, BitSet separates) {
    for (int rest = set; rest != 0; rest &= rest - 1) {
      if (separates.get(set & ~Integer.lowestOneBit(rest))) {
        return true;
      }
    }
    return false;
  }

  private boolean isCut(int set) {
    int seen = nextToReward & ~set;
    int open = seen;
    while (open != 0 && (seen & featureMask) == 0) {
      int next = adjacent[Integer.numberOfTrailingZeros(open)] & ~set & ~seen;
      open = (open & (open - 1)) | next;
      seen |= next;
    }
    return (seen & featureMask) == 0;
  }

  private BitSet named(int set) {
    BitSet named = (BitSet) always.clone();
    for (int rest = set; rest != 0; rest &= rest - 1) {
      named.set(undecided[Integer.numberOfTrailingZeros(rest)]);
    }
    return named;
  }

  private int[] masks(AugmentedGraph graph) {
    int[] masks = new int[undecided.length];
    for (int i = 0; i < masks.length; i++) {
      masks[i] = mask(graph.adjacent(undecided[i]));
    }
    return masks;
  }

  private int mask(BitSet nodes) {
    int mask = 0;
    for (int i = 0; i < undecided.length; i++) {
      mask |= nodes.get(undecided[i]) ? 1 << i : 0;
    }
    return mask;
  }

  private static BitSet reached(AugmentedGraph graph, int from) {
    BitSet reached = new BitSet();
    BitSet open = new BitSet();
    open.set(from);
    for (int node = from; node >= 0; node = open.nextSetBit(0)) {
      open.clear(node);
      reached.set(node);
      BitSet next = (BitSet) graph.adjacent(node).clone();
      next.andNot(reached);
      open.or(next);
    }
    return reached;
  }
}
