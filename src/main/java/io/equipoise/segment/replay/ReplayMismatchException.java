package io.equipoise.segment.replay;

/** Says where a log and its replay part: the record, what the log says, what the replay gives. */
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
   * @param veiled the same without values that a deployment may hide
   */
  ReplayMismatchException(String message, String veiled) {
    super(message);
    this.veiled = veiled;
  }

  /** Returns what may be reported where the record was redacted. */
  public String veiled() {
    return veiled;
  }
}
