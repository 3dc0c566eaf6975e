package io.equipoise.tools.simulate;

import io.equipoise.simulation.SplitMix;
import java.util.HashMap;
import java.util.Map;

/**
 * Draws the random numbers of one run, in a stream for each purpose. So people, rewards and delays
 * of a seed are the same under every spec with these variables.
 */
final class WorldDraws {
  private final long seed;
  private final Map<String, SplitMix> streams = new HashMap<>();

  WorldDraws(long seed) {
    this.seed = seed;
  }

  /** Returns the next uniform number in [0, 1) of a purpose. */
  double unit(String purpose) {
    return stream(purpose).nextDouble();
  }

  /** Returns the next standard normal number of a purpose. */
  double gaussian(String purpose) {
    return stream(purpose).nextGaussian();
  }

  private SplitMix stream(String purpose) {
    return streams.computeIfAbsent(
        purpose,
        name -> {
          long named = new SplitMix(name.hashCode()).nextLong();
          return new SplitMix(new SplitMix(seed).nextLong() ^ named);
        });
  }
}
