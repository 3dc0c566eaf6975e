package io.equipoise.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.event.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Describes an error as an RFC 9457 problem document, which handlers throw as {@link
 * ProblemException}.
 *
 * @param status HTTP status
 * @param code an {@link ErrorCode} where a dead letter would have it, else one of {@link HttpCode}
 * @param title the cause in one sentence; the same for every problem of the code
 * @param detail place, value and what is allowed; null if the title says all
 * @param remedy the fix in one sentence
 * @param retryAfterSeconds value of the header Retry-After; 0 for none
 */
public record Problem(
    int status,
    String code,
    String title,
    @Nullable String detail,
    String remedy,
    int retryAfterSeconds) {
  public static final String MEDIA_TYPE = "application/problem+json";

  /** Values in a detail are cut, so that no answer repeats a large request. */
  private static final int MAX_DETAIL = 400;

  public Problem {
    if (detail != null && detail.length() > MAX_DETAIL) {
      detail = detail.substring(0, MAX_DETAIL) + "...";
    }
  }

  /** Returns the problem of a dead letter's code, with status 422. */
  public static Problem of(ErrorCode code, @Nullable String detail) {
    return new Problem(422, code.name(), code.cause(), detail, code.remedy(), 0);
  }

  /** Returns a problem that only HTTP has. */
  public static Problem of(HttpCode code, @Nullable String detail) {
    return new Problem(code.status(), code.name(), code.title(), detail, code.remedy(), 0);
  }

  /** Returns the same problem with the header Retry-After, in seconds; 0 for none. */
  public Problem retryAfter(int seconds) {
    return new Problem(status, code, title, detail, remedy, seconds);
  }

  /** Returns the document for the body of an answer; absent fields are left out. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", "urn:equipoise:problem:" + code);
    json.put("title", title);
    json.put("status", status);
    if (detail != null) {
      json.put("detail", detail);
    }
    json.put("code", code);
    json.put("remedy", remedy);
    return json;
  }
}
