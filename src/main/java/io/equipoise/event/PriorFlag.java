package io.equipoise.event;

/** Says what to know of a prior bound. */
public enum PriorFlag {
  /** Cells that it needs have no data. */
  UNSUPPORTED,
  /** It was made wider for sampling error. */
  WIDENED,
  /** It is no narrower than the range of rewards. */
  VACUOUS
}
