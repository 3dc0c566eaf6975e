package io.equipoise.policy;

/**
 * Reports why causal bounds cannot be used under a spec. Carries no stack: the bounds are to blame.
 */
public final class CausalBoundException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int row;

  CausalBoundException(int row, String message) {
    super(message, null, false, false);
    this.row = row;
  }

  /** Returns the place of the row that is wrong. */
  public int row() {
    return row;
  }
}
