package io.equipoise.event;

/** Says what became of verdicts after the rewards refuted an assumption of the spec. */
public enum AuditRefuted {
  /** CERTIFIED_FAIR and UNFAIR are written as UNCERTAIN. */
  WITHHELD,
  /** They are as computed, since the spec says so. */
  IGNORED
}
