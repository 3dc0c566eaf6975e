package io.equipoise.event;

/** Names a caveat of a causal bound. */
public enum CausalBoundFlag {
  /** Cells that it needs have no data. */
  UNSUPPORTED,
  /** It was widened for sampling error. */
  WIDENED,
  /** It is no narrower than the range of rewards. */
  VACUOUS
}
