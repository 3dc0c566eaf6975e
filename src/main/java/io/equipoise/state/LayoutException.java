package io.equipoise.state;

import java.io.IOException;

/** Says which stored bytes cannot be read, and why. */
public final class LayoutException extends IOException {
  private static final long serialVersionUID = 1L;

  LayoutException(String message) {
    super(message);
  }

  LayoutException(String message, Throwable cause) {
    super(message, cause);
  }
}
