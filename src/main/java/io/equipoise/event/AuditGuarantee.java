package io.equipoise.event;

/** Says how strong an interval is. */
public enum AuditGuarantee {
  /** Holds at all times at once. */
  ANYTIME,
  /** Measured, not proved. */
  APPROXIMATE,
  /** As a paper states it. */
  PER_ROUND,
  /** None: nothing is certified. */
  NONE
}
