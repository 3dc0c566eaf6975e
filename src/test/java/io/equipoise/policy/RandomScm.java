package io.equipoise.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A random structural causal model of binary variables, in the order features, A, mediators, R;
 * causes come before effects. A hidden common cause of two of them is a fair coin. Truth comes from
 * enumeration alone.
 */
final class RandomScm {
  final int features;
  final int mediators;
  final boolean[][] edge;
  final List<int[]> hidden = new ArrayList<>();
  private final long seed;

  RandomScm(SplittableRandom random) {
    features = random.nextInt(2, 5);
    mediators = random.nextInt(3);
    int nodes = nodes();
    edge = new boolean[nodes][nodes];
    double density = random.nextDouble(.3, .8);
    for (int from = 0; from < nodes; from++) {
      for (int to = from + 1; to < nodes; to++) {
        boolean isAllowed = to != action() && !(from == action() && to < features);
        edge[from][to] = isAllowed && random.nextDouble() < density;
      }
    }
    for (int pairs = random.nextInt(4); pairs > 0; pairs--) {
      int one = random.nextInt(nodes);
      int other = random.nextInt(nodes);
      if (one < other && one != action() && other != action()) {
        hidden.add(new int[] {one, other});
      }
    }
    seed = random.nextLong();
  }

  int nodes() {
    return features + 1 + mediators + 1;
  }

  int action() {
    return features;
  }

  int reward() {
    return nodes() - 1;
  }

  String name(int node) {
    if (node < features) {
      return "X" + node;
    }
    return node == action() ? "A" : node == reward() ? "R" : "M" + (node - features - 1);
  }

  int hiddenStates() {
    return 1 << hidden.size();
  }

  /** P(node = 1 | its causes): a random table. */
  double p(int node, int state, int latents) {
    long key = seed + 1_000_003L * node;
    for (int cause = 0; cause < node; cause++) {
      if (edge[cause][node]) {
        key = 31 * key + 2L * cause + ((state >> cause) & 1);
      }
    }
    for (int pair = 0; pair < hidden.size(); pair++) {
      if (hidden.get(pair)[0] == node || hidden.get(pair)[1] == node) {
        key = 37 * key + 2L * pair + ((latents >> pair) & 1);
      }
    }
    return .03 + .94 * new SplittableRandom(key).nextDouble();
  }

  private double chance(int node, int state, int latents) {
    double p = p(node, state, latents);
    return ((state >> node) & 1) == 1 ? p : 1 - p;
  }

  /** The probability of a state without R under arms drawn evenly, and of the hidden causes. */
  double chance(int state, int latents) {
    double chance = .5 / hiddenStates();
    for (int node = 0; node < reward(); node++) {
      chance *= node == action() ? 1 : chance(node, state, latents);
    }
    return chance;
  }

  /** P(node = 1 | the other nodes of its table), with arms drawn evenly. */
  double conditional(int node, int mask, int levels) {
    double one = 0;
    double all = 0;
    for (int state = 0; state < 1 << reward(); state++) {
      if ((state & mask) == levels) {
        for (int latents = 0; latents < hiddenStates(); latents++) {
          double chance = chance(state, latents);
          all += chance;
          one += ((state >> node) & 1) * chance;
        }
      }
    }
    return one / all;
  }

  /**
   * E[R(s', a) | what is disclosed] - E[R(s, a) | what is disclosed], where S = s.
   *
   * @param mask of the features that are disclosed, S among them
   * @param isMonotone whether the noise of what follows S moves it one way only, else its values in
   *     both worlds are independent where their causes differ
   */
  double effect(int mask, int levels, int s, int arm, boolean isMonotone) {
    double sum = 0;
    double all = 0;
    for (int state = 0; state < 1 << features; state++) {
      if ((state & mask) != levels) {
        continue;
      }
      for (int latents = 0; latents < hiddenStates(); latents++) {
        double chance = 1;
        for (int node = 0; node < features; node++) {
          chance *= chance(node, state, latents);
        }
        all += chance;
        double there = other(0, state, 0, s, arm, latents, isMonotone);
        sum += chance * (there - mean(action() + 1, state | (arm << action()), latents));
      }
    }
    return sum / all;
  }

  /**
   * E[R' | the features in the factual world], with the features of the other world from a node.
   */
  private double other(
      int node, int state, int world, int s, int arm, int latents, boolean isMonotone) {
    if (node == features) {
      return mean(action() + 1, world | (arm << action()), latents);
    }
    if (node == s) {
      int flipped = ~state & (1 << s);
      return other(node + 1, state, world | flipped, s, arm, latents, isMonotone);
    }
    double here = p(node, state, latents);
    double there = p(node, world, latents);
    boolean isOne = ((state >> node) & 1) == 1;
    double one;
    if (here == there) {
      one = isOne ? 1 : 0;
    } else if (isMonotone) {
      one = isOne ? Math.min(1, there / here) : Math.max(0, (there - here) / (1 - here));
    } else {
      one = there;
    }
    double mean = 0;
    if (one > 0) {
      int next = world | (1 << node);
      mean += one * other(node + 1, state, next, s, arm, latents, isMonotone);
    }
    if (one < 1) {
      mean += (1 - one) * other(node + 1, state, world, s, arm, latents, isMonotone);
    }
    return mean;
  }

  /** E[R | features and arm], with the mediators from a node on drawn. */
  private double mean(int node, int state, int latents) {
    if (node == reward()) {
      return p(node, state, latents);
    }
    double one = p(node, state, latents);
    return one * mean(node + 1, state | (1 << node), latents)
        + (1 - one) * mean(node + 1, state, latents);
  }
}
