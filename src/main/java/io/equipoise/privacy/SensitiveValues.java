package io.equipoise.privacy;

import io.equipoise.event.RedactionMode;
import org.jspecify.annotations.Nullable;

/** Names the treatment of sensitive values in output topics. Options use its lower-case name. */
public enum SensitiveValues {
  /** Published unchanged. */
  PLAIN("plain", null),

  /** Replaced by a pseudonym that only the key can make, with the encrypted value beside it. */
  PSEUDONYMIZE("pseudonymize", RedactionMode.PSEUDONYMIZE),

  /** Removed permanently. */
  REDACT("redact", RedactionMode.REDACT);

  private final String option;
  private final @Nullable RedactionMode mode;

  SensitiveValues(String option, @Nullable RedactionMode mode) {
    this.option = option;
    this.mode = mode;
  }

  /** Returns the redaction mode in records; null for plain values. */
  @Nullable RedactionMode mode() {
    return mode;
  }

  @Override
  public String toString() {
    return option;
  }
}
