package io.equipoise.causal;

/**
 * Says that a distribution or its text is faulty or missing; the message names variable and row.
 */
public final class DistributionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public DistributionException(String message) {
    super(message);
  }

  public DistributionException(String message, Throwable cause) {
    super(message, cause);
  }
}
