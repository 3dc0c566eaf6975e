package io.equipoise.privacy;

/**
 * Reports that a file contains no valid key; the message has the remedy and never shows the key.
 */
public final class UnusableKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message consists of the file, the fact and the remedy. */
  public UnusableKeyException(String message) {
    super(message);
  }
}
