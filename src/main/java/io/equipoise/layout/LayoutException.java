package io.equipoise.layout;

import java.io.IOException;

/** Reports stored bytes that cannot be read; the message names the layout. */
public final class LayoutException extends IOException {
  private static final long serialVersionUID = 1L;

  public LayoutException(String message) {
    super(message);
  }

  public LayoutException(String message, Throwable cause) {
    super(message, cause);
  }
}
