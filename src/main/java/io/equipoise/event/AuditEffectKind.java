package io.equipoise.event;

/** Names the causal paths that an audited effect takes. */
public enum AuditEffectKind {
  /** Mediators follow the attribute. */
  TOTAL,
  /** Mediators are held. */
  DIRECT,
  /** Only through mediators. */
  INDIRECT,
  /** Through common causes. */
  SPURIOUS
}
