package io.equipoise.policy;

/** Features or a reward that a model cannot compute with; whatever was to change has not. */
public final class UnusableRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Reports the fault and the fix, for people. */
  public UnusableRequestException(String message) {
    super(message);
  }
}
