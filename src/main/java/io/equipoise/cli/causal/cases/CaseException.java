package io.equipoise.cli.causal.cases;

/** Says what a case lacks or misspells. */
final class CaseException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  CaseException(String message) {
    super(message);
  }
}
