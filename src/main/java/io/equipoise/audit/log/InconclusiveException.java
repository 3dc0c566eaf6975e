package io.equipoise.audit.log;

/** Says why an audit cannot come to a verdict at all, and what to do about it. */
public final class InconclusiveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with the whole sentence. */
  public InconclusiveException(String message) {
    super(message);
  }

  /** Creates the exception with the whole sentence and what was thrown. */
  public InconclusiveException(String message, Throwable cause) {
    super(message, cause);
  }
}
