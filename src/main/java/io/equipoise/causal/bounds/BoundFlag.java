package io.equipoise.causal.bounds;

/** What a reader of a bound should know. */
public enum BoundFlag {
  /** A probability had no row to go by and was taken as anything from 0 to 1. */
  UNSUPPORTED,
  /** The parts did not meet, as sampling can make them; the bound spans them instead. */
  WIDENED,
  /** The bound is [0, 1]. */
  VACUOUS
}
