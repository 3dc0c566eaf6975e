package io.equipoise.audit.log;

/** Ends an audit that cannot reach a verdict; the message gives the reason and the remedy. */
public final class InconclusiveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a complete message. */
  public InconclusiveException(String message) {
    super(message);
  }

  /** Creates the exception with a complete message and its cause. */
  public InconclusiveException(String message, Throwable cause) {
    super(message, cause);
  }
}
