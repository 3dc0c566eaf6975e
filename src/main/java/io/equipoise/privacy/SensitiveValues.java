package io.equipoise.privacy;

import io.equipoise.event.RedactionMode;
import org.jspecify.annotations.Nullable;

/** What output topics tell of sensitive values. Written in options as its lower-case name. */
public enum SensitiveValues {
  /** Everything, as it is. */
  PLAIN("plain", null),

  /** A name that only the key can make, and the value itself encrypted beside it. */
  PSEUDONYMIZE("pseudonymize", RedactionMode.PSEUDONYMIZE),

  /** Nothing, for good. */
  REDACT("redact", RedactionMode.REDACT);

  private final String option;
  private final @Nullable RedactionMode mode;

  SensitiveValues(String option, @Nullable RedactionMode mode) {
    this.option = option;
    this.mode = mode;
  }

  /** Returns how that is told on the wire; null where nothing is hidden. */
  @Nullable RedactionMode mode() {
    return mode;
  }

  @Override
  public String toString() {
    return option;
  }
}
