package io.equipoise.policy;

/** Reports a failure of the state backend; the task fails and restarts from its checkpoint. */
public final class StateAccessException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Reports what the backend threw. */
  public StateAccessException(Exception cause) {
    super("the state backend failed", cause);
  }
}
