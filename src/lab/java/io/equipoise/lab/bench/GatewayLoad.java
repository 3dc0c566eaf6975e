package io.equipoise.lab.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Sends requests for decisions to a server and measures how long each answer takes. Every request
 * has another number, and so another decision id.
 */
final class GatewayLoad {
  private static final Duration TICK = Duration.ofNanos(200_000);
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI decisions;
  private final IntFunction<String> body;
  private final AtomicInteger next;

  /**
   * Creates a load.
   *
   * @param decisions address that takes the requests
   * @param body JSON of a request by its number
   * @param next number of the first request; shared by loads that must not repeat ids
   */
  GatewayLoad(URI decisions, IntFunction<String> body, AtomicInteger next) {
    this.decisions = decisions;
    this.body = body;
    this.next = next;
  }

  /**
   * Answers of one load.
   *
   * @param millis time from sending to the last byte of each good answer; at a fixed rate from the
   *     time at which the request was due
   * @param seconds duration of the load
   * @param failed answers with another status than 200, or without a decision in time
   */
  record Measured(List<Double> millis, double seconds, int failed) {
    double perSecond() {
      return millis.size() / seconds;
    }
  }

  /** Sends the next request of each connection as soon as its answer has arrived. */
  Measured closed(int connections, Duration duration) {
    Run run = new Run(System.nanoTime() + duration.toNanos());
    List<CompletableFuture<?>> chains = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      chains.add(run.chain());
    }
    long start = System.nanoTime();
    chains.forEach(CompletableFuture::join);
    return run.measured(start);
  }

  /** Sends requests at a fixed rate, however long the answers take. */
  Measured open(int perSecond, Duration duration) {
    Run run = new Run(Long.MAX_VALUE);
    List<CompletableFuture<?>> sent = new ArrayList<>();
    long start = System.nanoTime();
    int requests = Math.toIntExact(perSecond * duration.toMillis() / 1000);
    for (int i = 0; i < requests; i++) {
      long due = start + Duration.ofSeconds(1).toNanos() * i / perSecond;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(TICK.toNanos());
      }
      sent.add(run.send(due));
    }
    sent.forEach(CompletableFuture::join);
    return run.measured(start);
  }

  /** Sends one load and times its answers. */
  private final class Run {
    private final long end;
    private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failed = new AtomicInteger();

    Run(long end) {
      this.end = end;
    }

    CompletableFuture<Void> chain() {
      return send(System.nanoTime())
          .thenCompose(
              any -> System.nanoTime() < end ? chain() : CompletableFuture.completedFuture(null));
    }

    CompletableFuture<Void> send(long since) {
      HttpRequest request =
          HttpRequest.newBuilder(decisions)
              .timeout(LONGEST_ANSWER)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body.apply(next.getAndIncrement())))
              .build();
      return http.sendAsync(request, BodyHandlers.ofString())
          .handle(
              (answer, problem) -> {
                if (problem != null || !isDecided(answer)) {
                  failed.incrementAndGet();
                } else {
                  millis.add((System.nanoTime() - since) / 1e6);
                }
                return null;
              });
    }

    Measured measured(long start) {
      return new Measured(List.copyOf(millis), (System.nanoTime() - start) / 1e9, failed.get());
    }
  }

  private static boolean isDecided(HttpResponse<String> answer) {
    return answer.statusCode() == 200 && !answer.body().contains("DEADLINE_EXCEEDED");
  }
}
