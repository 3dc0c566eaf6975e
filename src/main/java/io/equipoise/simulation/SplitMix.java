package io.equipoise.simulation;

/**
 * The SplitMix64 generator of Steele, Lea and Flood 2014: the n-th number is a mix of seed + n
 * gamma. Simulations draw from one of their own for each trial, so that trials may run in any
 * order.
 */
public final class SplitMix {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  private static final double UNIT = 0x1.0p-53;

  private long state;

  /** Starts a stream; equal seeds give equal streams. */
  public SplitMix(long seed) {
    state = seed;
  }

  /** Returns the next 64 bits. */
  public long nextLong() {
    state += GAMMA;
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Returns a uniform number in [0, 1). */
  public double nextDouble() {
    return (nextLong() >>> 11) * UNIT;
  }

  /** Returns a standard normal number (Box and Muller 1958). */
  public double nextGaussian() {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * nextDouble());
  }
}
