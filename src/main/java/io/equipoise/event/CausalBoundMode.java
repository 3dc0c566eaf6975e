package io.equipoise.event;

/** Names the method that computed a causal bound. */
public enum CausalBoundMode {
  /** The method behind the numbers of the paper's Table 1; may exclude the true value. */
  TABLE1,
  /** The paper's algorithm with its repairs. */
  PAPER,
  /** Chain-rule backward induction; valid for every distribution. */
  SOUND,
  /** Entered by a person. */
  MANUAL
}
