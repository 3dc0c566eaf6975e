package io.equipoise.causal.bounds;

/** Which bounds are planned; named as in Huang and Wu 2023, whose numbers the first two are. */
public enum BoundMode {
  /** The formulas behind the published Table 1; not valid bounds. For reproduction only. */
  TABLE1,
  /** Algorithms 1 to 3 as they are meant, with the exchange condition; valid, often vacuous. */
  PAPER,
  /** Chain-rule backward induction: valid, and the only mode that guarantees anything. */
  SOUND
}
