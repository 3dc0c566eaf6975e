package io.equipoise.event;

/** Says which causal paths an audited effect takes. */
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
