package io.equipoise.event;

/** Says what to know of a causal bound. */
public enum CausalBoundFlag {
  /** Cells that it needs have no data. */
  UNSUPPORTED,
  /** It was made wider for sampling error. */
  WIDENED,
  /** It is no narrower than the range of rewards. */
  VACUOUS
}
