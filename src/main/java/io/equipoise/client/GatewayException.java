package io.equipoise.client;

/**
 * A gateway rejected a request, or gave no answer in time. Code and remedy are those of the problem
 * document.
 */
public final class GatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String remedy;
  private final boolean isUnavailable;

  GatewayException(int status, String code, String detail, String remedy, boolean isUnavailable) {
    super((code + ": " + detail + " " + remedy).strip());
    this.status = status;
    this.code = code;
    this.remedy = remedy;
    this.isUnavailable = isUnavailable;
  }

  /** Returns the HTTP status; 0 without a documented answer. */
  public int status() {
    return status;
  }

  /** Returns the error code, such as {@code UNKNOWN_LEVEL}. */
  public String code() {
    return code;
  }

  /** Returns the fix in one sentence; empty if the gateway named none. */
  public String remedy() {
    return remedy;
  }

  /** Returns whether no gateway answered in time; the same request may succeed later. */
  public boolean isUnavailable() {
    return isUnavailable;
  }
}
