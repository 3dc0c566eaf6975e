package io.equipoise.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import io.javalin.http.sse.SseClient;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends pages their documents again while they change: the first at once, the next at most every
 * {@value #PERIOD_MILLIS} ms. A page without news gets a ping, which shows that it is connected.
 */
final class LiveStream implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);
  private static final int MOST_CLIENTS = 32;
  private static final long PERIOD_MILLIS = 2_000;
  private static final int PING_EVERY = 5;
  private static final long END_MILLIS = 5_000;

  private final Documents documents;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** One page. */
  private static final class Follower {
    private final SseClient client;
    private final String event;
    private final Supplier<JsonNode> document;
    private @Nullable Long sent;
    private int quiet;

    Follower(SseClient client, String event, Supplier<JsonNode> document) {
      this.client = client;
      this.event = event;
      this.document = document;
    }

    /** Sends the document if something was read since. Health changes without records. */
    void tick(long version) {
      if (sent != null && sent == version && !event.equals("health")) {
        quiet++;
        if (quiet % PING_EVERY == 0) {
          client.sendEvent("ping", "{}");
        }
        return;
      }
      quiet = 0;
      sent = version;
      try {
        client.sendEvent(event, document.get().toString());
      } catch (ProblemException e) {
        client.sendEvent("problem", e.problem().json().toString());
      }
    }
  }

  LiveStream(Documents documents) {
    this.documents = documents;
    thread = new Thread(this::run, "console-live");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Takes a page that asks for a stream. */
  void open(SseClient client) {
    try {
      if (followers.size() >= MOST_CLIENTS) {
        throw new ProblemException(
            ConsoleProblem.TOO_MANY_STREAMS.of("at most " + MOST_CLIENTS + " streams"));
      }
      Follower follower = follower(client, new Parameters(client.ctx()));
      client.keepAlive();
      client.onClose(() -> followers.remove(follower));
      followers.add(follower);
      send(follower);
    } catch (ProblemException e) {
      client.sendEvent("problem", e.problem().json().toString());
      client.close();
    }
  }

  private Follower follower(SseClient client, Parameters parameters) {
    String view = parameters.required("view");
    return switch (view) {
      case "overview" -> {
        var query = parameters.overview();
        yield new Follower(client, view, () -> documents.overview(query));
      }
      case "segment" -> {
        String name = parameters.required("name");
        yield new Follower(client, view, () -> documents.segment(name));
      }
      case "health" -> new Follower(client, view, documents::health);
      default -> {
        Problem problem =
            ConsoleProblem.INVALID_PARAMETER.of(
                "parameter view: given '%s'; allowed: overview, segment, health".formatted(view));
        throw new ProblemException(problem);
      }
    };
  }

  private void run() {
    try {
      while (!closed.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        if (!followers.isEmpty()) {
          refreshOverview();
        }
        followers.forEach(this::send);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Computes the rows now, so that no click waits for them. */
  private void refreshOverview() {
    try {
      documents.overview().refresh(documents.now());
    } catch (RuntimeException e) { // streams of other documents go on
      LOG.warn("The overview is not refreshed", e);
    }
  }

  private void send(Follower follower) {
    synchronized (follower) {
      try {
        follower.tick(documents.aggregator().version());
      } catch (RuntimeException e) {
        LOG.warn("A live stream ends", e);
        followers.remove(follower);
        follower.client.close();
      }
    }
  }

  /** Ends all streams. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    followers.forEach(follower -> follower.client.close());
    followers.clear();
  }
}
