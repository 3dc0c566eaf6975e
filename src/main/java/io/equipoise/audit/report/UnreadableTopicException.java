package io.equipoise.audit.report;

import org.jspecify.annotations.Nullable;

/** Says why a topic could not be read, and what to check. */
public final class UnreadableTopicException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableTopicException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
