package io.equipoise.segmentspec;

/** Decides whether a causal bound still clips after the observed rewards have refuted it. */
public enum OnRefutation implements Word {
  /** The bound no longer clips. */
  IGNORE,
  /** The bound still clips; the segment event BOUNDS_REFUTED reports the refutation. */
  KEEP
}
