package io.equipoise.lab.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.tools.cluster.Waiting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks gateways in turn at a constant rate while fewer than {@value #MOST_WAITING} requests wait,
 * and repeats a request at the next one while it gets no answer, 429 or 503. Any other refusal is a
 * violation.
 *
 * <p>State: the number of open requests and pauses, the retries and the violations; the timer and
 * the HTTP client's threads change them.
 */
final class PersistentCaller implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  /** Longer than the longest silence of the brokers, since a refusal comes within a second. */
  private static final int MOST_ATTEMPTS = 900;

  /**
   * More than wait during a recovery at the usual rates. Callers that pile up over minutes of
   * silence would keep the machine busy with their refusals, and delay the recovery that is timed.
   */
  private static final int MOST_WAITING = 400;

  private static final long PAUSE_MILLIS = 1_000;

  /** So that those who wait for minutes do not keep a core busy. */
  private static final int MOST_PAUSES = 8;

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final List<String> addresses;
  private final @Nullable String token;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger outstanding = new AtomicInteger();
  private final AtomicInteger retries = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final Set<String> violations = ConcurrentHashMap.newKeySet();
  private volatile boolean isPaused;

  /**
   * Makes a caller of gateways.
   *
   * @param token null if they need none
   */
  PersistentCaller(List<String> addresses, @Nullable String token) {
    this.addresses = List.copyOf(addresses);
    this.token = token;
  }

  /**
   * Calls an action on one thread, but for pauses between {@link #drain} and {@link #resume} and
   * while too many requests wait.
   */
  void start(Runnable next, int perSecond) {
    var unused =
        timer.scheduleAtFixedRate(
            () -> {
              if (!isPaused && outstanding.get() < MOST_WAITING) {
                next.run();
              }
            },
            0,
            TimeUnit.SECONDS.toMicros(1) / perSecond,
            TimeUnit.MICROSECONDS);
  }

  /** Stops asking and waits until no request is open. */
  void drain() {
    isPaused = true;
    if (!Waiting.until(() -> outstanding.get() == 0, PATIENCE)) {
      violate(outstanding.get() + " requests were not answered within " + PATIENCE);
    }
  }

  void resume() {
    isPaused = false;
  }

  void violate(String why) {
    violations.add(why);
  }

  List<String> violations() {
    return new ArrayList<>(violations);
  }

  /** Returns the number of requests that were repeated. */
  int retries() {
    return retries.get();
  }

  /** Sends a request until it is answered. */
  void ask(String path, ObjectNode body, Consumer<JsonNode> onAnswer) {
    ask(path, body, 1, onAnswer);
  }

  private void ask(String path, ObjectNode body, int attempt, Consumer<JsonNode> onAnswer) {
    outstanding.incrementAndGet();
    String address = addresses.get(Math.floorMod(asked.getAndIncrement(), addresses.size()));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Content-Type", "application/json")
            .timeout(TIMEOUT)
            .POST(BodyPublishers.ofString(body.toString()));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    CompletableFuture<HttpResponse<String>> sent =
        client.sendAsync(request.build(), BodyHandlers.ofString());
    var unused =
        sent.handle(
            (response, failure) -> {
              try {
                take(path, body, attempt, onAnswer, failure == null ? response : null);
              } finally {
                outstanding.decrementAndGet();
              }
              return null;
            });
  }

  private void take(
      String path,
      ObjectNode body,
      int attempt,
      Consumer<JsonNode> onAnswer,
      @Nullable HttpResponse<String> response) {
    int status = response == null ? 0 : response.statusCode();
    if (response != null && status / 100 == 2) {
      onAnswer.accept(parsed(response.body()));
    } else if (status != 0 && status != 429 && status != 503) {
      violate(path + " answered " + status);
    } else if (attempt >= MOST_ATTEMPTS) {
      violate(path + " did not answer " + attempt + " times");
    } else {
      retries.incrementAndGet();
      later(
          () -> ask(path, body, attempt + 1, onAnswer),
          PAUSE_MILLIS * Math.min(attempt, MOST_PAUSES));
    }
  }

  /** Runs an action after a pause; {@link #drain} waits for it. */
  void later(Runnable action) {
    later(action, PAUSE_MILLIS);
  }

  private void later(Runnable action, long millis) {
    outstanding.incrementAndGet();
    var unused =
        timer.schedule(
            () -> {
              action.run();
              outstanding.decrementAndGet();
            },
            millis,
            TimeUnit.MILLISECONDS);
  }

  static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not JSON: " + json, e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
