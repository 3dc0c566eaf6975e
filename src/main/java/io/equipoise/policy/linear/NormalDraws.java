package io.equipoise.policy.linear;

import io.equipoise.policy.SeededRandom;

/**
 * Draws standard normal numbers that belong to one decision: SplitMix64 (Steele, Lea and Flood
 * 2014) seeded by the decision's draw, then Box and Muller 1958. Reusable scratch.
 */
final class NormalDraws {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  private static final double TWO_TO_53 = 0x1.0p53;

  private long state;
  private double spare;
  private boolean hasSpare;

  void begin(SeededRandom seededRandom) {
    state = (long) (seededRandom.uniform(SeededRandom.Purpose.POSTERIOR) * TWO_TO_53);
    hasSpare = false;
  }

  double next() {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    double radius = Math.sqrt(-2 * StrictMath.log(1 - uniform()));
    double angle = 2 * Math.PI * uniform();
    spare = radius * StrictMath.sin(angle);
    hasSpare = true;
    return radius * StrictMath.cos(angle);
  }

  private double uniform() {
    state += GAMMA;
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return ((z ^ (z >>> 31)) >>> 11) / TWO_TO_53;
  }
}
