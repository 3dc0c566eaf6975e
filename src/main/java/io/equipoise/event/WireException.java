package io.equipoise.event;

/**
 * Refuses bytes that are not a record of the expected kind. Carries no stack: the bytes are to
 * blame.
 */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  WireException(ErrorCode code, String fact) {
    super(fact, null, false, false);
    this.code = code;
  }

  /** Returns UNFRAMED, UNKNOWN_SCHEMA or MALFORMED. */
  public ErrorCode code() {
    return code;
  }

  /** Returns what is wrong, with byte positions and without values. */
  public String fact() {
    return String.valueOf(getMessage());
  }
}
