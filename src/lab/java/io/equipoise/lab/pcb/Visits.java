package io.equipoise.lab.pcb;

import io.equipoise.simulation.SplitMix;

/**
 * Draws the contexts of one trial and the uniforms behind its rewards, the same for all contenders.
 */
final class Visits {
  private final byte[] contexts;
  private final float[] chances;

  Visits(SplitMix random, double[] contextShares, int rounds) {
    contexts = new byte[rounds];
    chances = new float[rounds];
    for (int round = 0; round < rounds; round++) {
      double u = random.nextDouble();
      int context = 0;
      while (context < contextShares.length - 1 && u >= contextShares[context]) {
        u -= contextShares[context++];
      }
      contexts[round] = (byte) context;
      chances[round] = (float) random.nextDouble();
    }
  }

  int rounds() {
    return contexts.length;
  }

  int context(int round) {
    return contexts[round];
  }

  /** Returns a Bernoulli reward of this mean. */
  double reward(int round, double mean) {
    return chances[round] < mean ? 1 : 0;
  }
}
