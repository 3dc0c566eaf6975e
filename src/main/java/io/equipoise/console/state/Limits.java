package io.equipoise.console.state;

/**
 * Bounds the console's memory.
 *
 * @param segments segments with their own history
 * @param arms arms of a segment with their own history; the rest is one sum
 * @param pairs compared pairs of levels of a segment
 * @param series histories of arms and pairs of all segments together, some 5 KB each
 * @param effects latest effects of all segments together, some 500 bytes each
 * @param recentBytes records of recent decisions, with their overhead
 */
public record Limits(int segments, int arms, int pairs, int series, int effects, long recentBytes) {
  /** Fits into 512 MB with everything else. */
  public static final Limits DEFAULT = new Limits(5_000, 24, 24, 24_000, 100_000, 96L << 20);
}
