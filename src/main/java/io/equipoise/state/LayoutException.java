package io.equipoise.state;

import java.io.IOException;

/** Thrown for stored bytes that cannot be read. */
public final class LayoutException extends IOException {
  private static final long serialVersionUID = 1L;

  LayoutException(String message) {
    super(message);
  }

  LayoutException(String message, Throwable cause) {
    super(message, cause);
  }
}
