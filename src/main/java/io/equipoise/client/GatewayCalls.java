package io.equipoise.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.Utf8Text;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Posts JSON to a gateway, and repeats the same request until it has an answer or no time. */
final class GatewayCalls {
  /** Answers after which the same request may succeed. */
  static final Set<Integer> RETRIED = Set.of(429, 500, 502, 503, 504);

  /** Code of a request without any answer. */
  static final String UNAVAILABLE = "UNAVAILABLE";

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

  /**
   * Returns the decoded answer.
   *
   * @throws GatewayException if the gateway rejects the request, or gives no answer in time
   */
  JsonNode post(String path, JsonNode body) throws InterruptedException {
    String payload = body.toString();
    if (Utf8Text.unpairedSurrogate(payload) >= 0) {
      throw new IllegalArgumentException(
          "a text has an unpaired surrogate, and so no UTF-8 form; send whole characters only");
    }
    long end = System.nanoTime() + timeout.toNanos();
    long longest = FIRST_PAUSE.toNanos();
    for (int tries = 0; ; tries++, longest *= 2) {
      // Different requests wait differently long, so that they do not arrive together again.
      long pause = longest / 2 + Math.floorMod(payload.hashCode() * 31L + tries, longest / 2);
      GatewayException failure;
      try {
        HttpResponse<String> response =
            http.send(request(path, payload, end), BodyHandlers.ofString());
        if (response.statusCode() < 300) {
          return MAPPER.readTree(response.body());
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
        failure = new GatewayException(0, UNAVAILABLE, String.valueOf(e), "", true);
      }
      if (tries >= retries || System.nanoTime() + pause - end >= 0) {
        String detail =
            "no answer of %s to POST %s after %d tries; last: %s"
                .formatted(gateway, path, tries + 1, failure.getMessage());
        throw new GatewayException(
            failure.status(), failure.code(), detail, failure.remedy(), true);
      }
      Thread.sleep(Duration.ofNanos(pause).toMillis());
    }
  }

  private HttpRequest request(String path, String payload, long end) {
    Duration left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway + path))
            .timeout(left)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(payload));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  private static JsonNode problemDocument(String body) {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      return MAPPER.createObjectNode();
    }
  }

  /** Returns a problem document as an exception. */
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
