package io.equipoise.join;

/** Says where a log and its replay part: the record, what the log says, what the replay gives. */
public final class OracleMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with the whole sentence. */
  public OracleMismatchException(String message) {
    super(message);
  }
}
