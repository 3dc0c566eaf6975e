package io.equipoise.segmentspec;

/** Names the treatment of a context that lacks a variable. */
public enum Missing implements Word {
  /** The context is rejected. The default of variables that are not sensitive. */
  REJECT,
  /**
   * The variable takes the extra level {@code undisclosed}. The default of sensitive variables; the
   * audit of such a context covers every disclosed value.
   */
  LEVEL,
  /**
   * The variable takes the index after its last level, and the model averages over its declared
   * levels by their known distribution.
   */
  MARGINALIZE
}
