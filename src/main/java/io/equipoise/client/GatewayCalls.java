package io.equipoise.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.Utf8Text;
import io.equipoise.remote.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Posts JSON to a gateway, and repeats the same request until it has a response or the timeout is
 * over.
 */
final class GatewayCalls {
  /** Answers after which the same request may succeed. */
  static final Set<Integer> RETRIED = Set.of(429, 500, 502, 503, 504);

  /** Code of a request without any answer. */
  static final String UNAVAILABLE = "UNAVAILABLE";

  /**
   * Larger than any response of a gateway with its default options: 100 decisions among 10,000
   * arms.
   */
  private static final int MOST_MEBIBYTES = 128;

  private static final int FIRST_PROBLEM = 400;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String gateway;
  private final @Nullable String token;
  private final Duration timeout;
  private final int retries;
  private final HttpClient http;

  GatewayCalls(URI gateway, @Nullable String token, Duration timeout, int retries) {
    if (timeout.isZero() || timeout.isNegative() || retries < 0) {
      throw new IllegalArgumentException(
          "timeout %s must be above 0 and retries %d at least 0".formatted(timeout, retries));
    }
    if (token != null) {
      checkToken(token);
    }
    this.gateway = gateway.toString().replaceFirst("/+$", "");
    this.token = token;
    this.timeout = timeout;
    this.retries = retries;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
  }

  /** The message has no character of the token, which is a secret. */
  private static void checkToken(String token) {
    if (token.isEmpty()) {
      throw new IllegalArgumentException(
          "the token is empty; leave it out if the gateway has no tokens");
    }
    for (int at = 0; at < token.length(); at++) {
      if (token.charAt(at) < '!' || token.charAt(at) > '~') {
        throw new IllegalArgumentException(
            "the token has at place %d a blank, a line end or another character that no token has;"
                    .formatted(at + 1)
                + " strip what you read from a file");
      }
    }
  }

  /**
   * Checks that a text has a form in UTF-8.
   *
   * @throws IllegalArgumentException if it has an unpaired surrogate
   */
  static void checkUtf8(String text) {
    if (Utf8Text.unpairedSurrogate(text) >= 0) {
      throw new IllegalArgumentException(
          "a text has an unpaired surrogate, and so no UTF-8 form; send whole characters only");
    }
  }

  /** Converts a documented response to its result. */
  @FunctionalInterface
  interface Reader<T> {
    /**
     * Reads an answer.
     *
     * @throws IllegalArgumentException if it is not the documented one
     */
    T read(JsonNode answer);
  }

  /**
   * Returns the result that a reader makes of the response. An undocumented response counts as
   * none.
   *
   * @param status the documented one
   * @throws GatewayException if the gateway rejects the request, or gives no answer in time
   */
  <T> T post(String path, JsonNode body, int status, Reader<T> reader) throws InterruptedException {
    String payload = body.toString();
    checkUtf8(payload);
    long end = System.nanoTime() + timeout.toNanos();
    long longest = FIRST_PAUSE.toNanos();
    for (int tries = 0; ; tries++, longest *= 2) {
      // Different requests wait differently long, so that they do not arrive together again.
      long pause = longest / 2 + Math.floorMod(payload.hashCode() * 31L + tries, longest / 2);
      GatewayException failure;
      try {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        HttpResponse<byte[]> response =
            WholeAnswer.of(http, request(path, payload), left, MOST_MEBIBYTES);
        if (response.statusCode() < FIRST_PROBLEM) {
          return read(response, status, reader);
        }
        failure = problem(response.statusCode(), problemDocument(response.body()));
        if (!RETRIED.contains(response.statusCode())) {
          throw failure;
        }
        String wanted = response.headers().firstValue("Retry-After").orElse("");
        if (wanted.matches("\\d{1,6}")) {
          pause = Math.max(pause, Duration.ofSeconds(Long.parseLong(wanted)).toNanos());
        }
      } catch (IOException e) {
        failure = new GatewayException(0, UNAVAILABLE, WholeAnswer.words(e), "", true);
        failure.initCause(e);
      }
      if (tries >= retries || System.nanoTime() + pause - end >= 0) {
        String count = tries == 0 ? "1 try" : tries + 1 + " tries";
        String detail =
            "no answer of %s to POST %s after %s; last: %s"
                .formatted(gateway, path, count, failure.detail());
        GatewayException last =
            new GatewayException(failure.status(), failure.code(), detail, failure.remedy(), true);
        last.initCause(failure.getCause());
        throw last;
      }
      Thread.sleep(Duration.ofNanos(pause).toMillis());
    }
  }

  private static <T> T read(HttpResponse<byte[]> response, int status, Reader<T> reader)
      throws IOException {
    try {
      if (response.statusCode() != status) {
        throw new IllegalArgumentException("its status is not " + status);
      }
      return reader.read(MAPPER.readTree(response.body()));
    } catch (IOException | IllegalArgumentException e) {
      boolean isOfParser = e instanceof IOException || e.getCause() instanceof IOException;
      throw new IOException(
          "the answer with status %d is not the documented one: %s"
              .formatted(
                  response.statusCode(), isOfParser ? "no JSON of its form" : e.getMessage()),
          e);
    }
  }

  private HttpRequest request(String path, String payload) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(payload));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  private static JsonNode problemDocument(byte[] body) {
    try {
      return MAPPER.readTree(body);
    } catch (IOException e) {
      return MAPPER.createObjectNode();
    }
  }

  static GatewayException problem(int status, JsonNode problem) {
    String none = "status " + status + " without a problem document";
    String detail = problem.path("detail").asText(problem.path("title").asText(none));
    return new GatewayException(
        status,
        problem.path("code").asText("HTTP_" + status),
        detail,
        problem.path("remedy").asText(""),
        false);
  }
}
