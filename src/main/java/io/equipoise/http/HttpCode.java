package io.equipoise.http;

/** Lists the problems that only HTTP has; all others have a code of {@code ErrorCode}. */
public enum HttpCode {
  MALFORMED_JSON(
      400,
      "The body is not a JSON document that this server reads.",
      "Send one JSON object with each key once."),
  INVALID_REQUEST(
      400,
      "A field of the request is missing, unknown or of another type.",
      "Send the fields that the detail allows; /openapi.json of a gateway describes them."),
  UNAUTHORIZED(
      401,
      "The request has no valid API token.",
      "Send the header `Authorization: Bearer TOKEN` with a token of the tokens file."),
  FORBIDDEN(
      403,
      "The token or the address does not allow this request.",
      "Use a token of scope `write`; without tokens, use the loopback address."),
  NOT_FOUND(
      404,
      "There is nothing under this address.",
      "Correct the path. A gateway lists its own in /openapi.json; the pages of a console begin at /."),
  METHOD_NOT_ALLOWED(
      405, "The path exists, but not with this method.", "Use a method of the header Allow."),
  TOO_LARGE(
      413,
      "The body has more bytes than the server allows.",
      "Send less in one request, or raise the option max-request-bytes of the server."),
  UNSUPPORTED_MEDIA_TYPE(
      415,
      "The body is not declared as plain JSON.",
      "Send the header `Content-Type: application/json`, and the body without compression."),
  SHOWN_ARM_REQUIRED(
      422,
      "This gateway does not remember the decision, and the request does not name the arm shown.",
      "Correct `decisionId`, or send `shownArm`: the arm of the answer, or the one that your program"
          + " showed."),
  TOO_MANY_REQUESTS(
      429,
      "The server has its maximum of open requests.",
      "Send the request again after the seconds of Retry-After."),
  INTERNAL(
      500,
      "The server failed.",
      "Send the request again; if it fails again, read the server's log."),
  NOT_IMPLEMENTED(
      501,
      "The server does not offer this operation.",
      "Use another one; /openapi.json of a gateway lists all of them."),
  HTTP_VERSION(505, "The server does not speak this version of HTTP.", "Use HTTP/1.1."),
  NOT_READY(
      503,
      "The server is starting, stopping, or without its brokers.",
      "Send the request again after the seconds of Retry-After.");

  private final int status;
  private final String title;
  private final String remedy;

  HttpCode(int status, String title, String remedy) {
    this.status = status;
    this.title = title;
    this.remedy = remedy;
  }

  /** Returns the code of a status: the code with that status, else the general one of its class. */
  static HttpCode of(int status) {
    if (status == 426) { // a version that must be upgraded
      return HTTP_VERSION;
    }
    for (HttpCode code : values()) {
      if (code.status == status && code != MALFORMED_JSON && status != 422) {
        return code;
      }
    }
    return status >= 500 ? INTERNAL : INVALID_REQUEST;
  }

  public int status() {
    return status;
  }

  public String title() {
    return title;
  }

  public String remedy() {
    return remedy;
  }
}
