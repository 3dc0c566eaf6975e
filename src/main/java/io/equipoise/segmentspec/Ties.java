package io.equipoise.segmentspec;

/** Decides which arm wins among those whose index is the greatest within 1e-9. */
public enum Ties implements Word {
  /** The one listed first. */
  LOWEST,
  /** One drawn by seed, segment and decision id. */
  SEEDED
}
