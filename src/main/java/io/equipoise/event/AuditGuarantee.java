package io.equipoise.event;

/** Says how strong an interval is. */
public enum AuditGuarantee {
  /** Holds at all times at once. */
  ANYTIME,
  /** Measured, not proved. */
  APPROXIMATE,
  /** As a paper states it. */
  PAPER,
  /** None: nothing is certified. */
  NONE
}
