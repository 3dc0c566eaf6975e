package io.equipoise.event;

/**
 * Reports bytes that are not a record of the expected type. Has no stack trace, because the cause
 * is in the bytes.
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

  /** Describes the error with byte positions and without values. */
  public String fact() {
    return String.valueOf(getMessage());
  }
}
