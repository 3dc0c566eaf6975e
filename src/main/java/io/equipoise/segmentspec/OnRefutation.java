package io.equipoise.segmentspec;

/** What becomes of a causal bound that the rewards observed have refuted. */
public enum OnRefutation implements Word {
  /** It clips no more. */
  IGNORE,
  /** It clips on; the outcome BOUNDS_REFUTED says so. */
  KEEP
}
