package io.equipoise.privacy;

/** Says why a file holds no key, and what to do; never what it holds. */
public final class UnusableKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The message is a clause: the file, the fact, the remedy. */
  public UnusableKeyException(String message) {
    super(message);
  }
}
