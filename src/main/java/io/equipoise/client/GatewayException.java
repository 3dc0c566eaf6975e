package io.equipoise.client;

/**
 * Reports that a gateway rejected a request, or sent no response in time. Code and remedy are those
 * of the problem document.
 */
public final class GatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String detail;
  private final String remedy;
  private final boolean isUnavailable;

  GatewayException(int status, String code, String detail, String remedy, boolean isUnavailable) {
    super(code + ": " + sentences(detail, remedy));
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.remedy = remedy;
    this.isUnavailable = isUnavailable;
  }

  private static String sentences(String detail, String remedy) {
    if (detail.isEmpty() || remedy.isEmpty()) {
      return detail + remedy;
    }
    return detail + (detail.matches("(?s).*[.!?]") ? " " : ". ") + remedy;
  }

  /** Returns the HTTP status; 0 without a documented answer. */
  public int status() {
    return status;
  }

  /** Returns the error code, such as {@code UNKNOWN_LEVEL}. */
  public String code() {
    return code;
  }

  /** Returns the fault without code and remedy. */
  String detail() {
    return detail;
  }

  /** Returns the fix in one sentence; empty if the gateway named none. */
  public String remedy() {
    return remedy;
  }

  /** Returns whether no gateway responded in time; the same request may succeed later. */
  public boolean isUnavailable() {
    return isUnavailable;
  }
}
