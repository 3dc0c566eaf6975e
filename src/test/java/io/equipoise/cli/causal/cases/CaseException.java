package io.equipoise.cli.causal.cases;

/** Thrown for a missing or invalid field of a case. */
final class CaseException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  CaseException(String message) {
    super(message);
  }
}
