package io.equipoise.causal.bounds;

/** A remark on a bound. */
public enum BoundFlag {
  /** A probability had no rows and was bounded by 0 and 1. */
  UNSUPPORTED,
  /** The parts were disjoint, which sampling can cause; the bound spans them instead. */
  WIDENED,
  /** The bound is [0, 1]. */
  VACUOUS
}
