package io.equipoise.event;

/** Says how a causal bound was found. */
public enum CausalBoundMode {
  /** As the numbers of the paper's Table 1 were; may exclude the truth. */
  TABLE1,
  /** By the paper's algorithm with its repairs. */
  PAPER,
  /** By chain-rule backward induction; holds whatever the distribution is. */
  SOUND,
  /** A person set it. */
  MANUAL
}
