package io.equipoise.event;

/** Says what stands in the place of the sensitive values of a record. */
public enum RedactionMode {
  /** Names that only the key can make, the same for the same level. */
  PSEUDONYMIZE,
  /** Nothing. */
  REDACT
}
