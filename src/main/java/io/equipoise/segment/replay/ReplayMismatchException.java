package io.equipoise.segment.replay;

/** Reports the first difference between a log and its replay: the record and both values. */
public final class ReplayMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String veiled;

  /** Creates the exception with the whole sentence. */
  public ReplayMismatchException(String message) {
    this(message, message);
  }

  /**
   * Creates the exception.
   *
   * @param message the whole sentence
   * @param veiled the same without values that a deployment may redact
   */
  ReplayMismatchException(String message, String veiled) {
    super(message);
    this.veiled = veiled;
  }

  /** Returns the message to report if the record was redacted. */
  public String veiled() {
    return veiled;
  }
}
