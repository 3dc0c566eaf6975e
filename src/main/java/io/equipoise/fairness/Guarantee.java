package io.equipoise.fairness;

/** How far the interval behind a verdict can be trusted. */
public enum Guarantee {
  /** Holds at once over cells, pairs and all time at the spec's delta; proved. */
  ANYTIME,
  /** Measured, not proved. */
  APPROXIMATE,
  /** A paper's own scale and delta_t = 1/t^2: for replications, and no promise for live use. */
  PER_ROUND,
  /** None: no interval with an error level, like the band of a search for the best fair arm. */
  NONE
}
