package io.equipoise.event;

/** Names the replacement of sensitive values in a record. */
public enum RedactionMode {
  /** Pseudonyms that only the key can make, equal for equal levels. */
  PSEUDONYMIZE,
  /** Nothing. */
  REDACT
}
