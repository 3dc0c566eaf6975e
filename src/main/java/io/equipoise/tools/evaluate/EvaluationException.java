package io.equipoise.tools.evaluate;

/** Names the place, the value and the fix of an error in a log. */
public final class EvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public EvaluationException(String message) {
    super(message);
  }

  /** Creates the exception of another error. */
  public EvaluationException(String message, Throwable cause) {
    super(message, cause);
  }
}
