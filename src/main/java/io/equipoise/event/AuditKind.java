package io.equipoise.event;

/** Says what an audit record is about. */
public enum AuditKind {
  /** One decision. */
  DECISION,
  /** One phase of an experiment. */
  PHASE,
  /** The end of an experiment. */
  TERMINAL,
  /** Prior bounds that the data refuted. */
  PRIOR_REFUTED
}
