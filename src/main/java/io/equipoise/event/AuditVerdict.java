package io.equipoise.event;

/** Says what the interval of an effect means for the threshold. */
public enum AuditVerdict {
  /** The whole interval is within the threshold. */
  CERTIFIED_FAIR,
  /** The whole interval is beyond the threshold. */
  UNFAIR,
  /** At least half of the uncertainty comes from no data at all. */
  NO_OVERLAP,
  /** The estimate is within the threshold: a point statement, no certificate. */
  FAIR,
  /** None of the others. */
  UNCERTAIN,
  /** The graph does not identify the effect: no data can decide. */
  NOT_IDENTIFIED
}
