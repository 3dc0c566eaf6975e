package io.equipoise.event;

/** Names the treatment of verdicts after the rewards refuted an assumption of the spec. */
public enum AuditRefuted {
  /** CERTIFIED_FAIR and UNFAIR are written as UNCERTAIN. */
  WITHHELD,
  /** They stay as computed, because the spec says so. */
  IGNORED
}
