package io.equipoise.tools.simulate;

/** Names the place, the value and the fix of an error in a world or a table of people. */
public final class WorldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public WorldException(String message) {
    super(message);
  }

  /** Creates the exception of another error. */
  public WorldException(String message, Throwable cause) {
    super(message, cause);
  }
}
