package io.equipoise.event;

/**
 * Says what the interval of an effect means for the threshold. The order is part of the layout of
 * the audit sums: append only.
 */
public enum AuditVerdict {
  /** The whole interval is within the threshold. */
  CERTIFIED_FAIR,
  /** The whole interval is beyond the threshold. */
  UNFAIR,
  /** Undecided, and at least half of the uncertainty comes from no data at all. */
  NO_OVERLAP,
  /** Undecided, the estimate is within the threshold: a point statement, no certificate. */
  FAIR,
  /** Undecided, the estimate is beyond the threshold. */
  UNCERTAIN,
  /** The graph does not identify the effect: no data can decide. */
  NOT_IDENTIFIED
}
