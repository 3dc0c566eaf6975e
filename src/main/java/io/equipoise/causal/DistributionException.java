package io.equipoise.causal;

/**
 * Reports that a distribution or its text is invalid or missing; the message names variable and
 * row.
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
