package io.equipoise.causal.bounds;

/** Kinds of planned bounds. TABLE1 and PAPER are named after Huang and Wu 2023. */
public enum BoundMode {
  /** The formulas behind the published Table 1; not valid bounds. For reproduction only. */
  TABLE1,
  /** Algorithms 1 to 3 as intended, with the exchange condition; valid, often vacuous. */
  PAPER,
  /** Chain-rule backward induction: valid, and the only mode with a guarantee. */
  SOUND
}
