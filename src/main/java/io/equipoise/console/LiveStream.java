package io.equipoise.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.cli.VitalThread;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import io.javalin.http.sse.SseClient;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends pages their documents again while they change: the first at once, the next at most every
 * {@value #PERIOD_MILLIS} ms. A page without news gets a ping, which shows that it is connected.
 *
 * <p>Each page is served by a thread of its own while it gets a document, so a page that does not
 * read delays no other. It gets the next document when it has the last; the server ends a
 * connection on which nothing can be written for its idle timeout.
 *
 * <p>State: the set of open pages, which the ticking thread and the threads of the server change.
 * The fields of a page are used only by the writer that has set its {@code isBusy}.
 */
final class LiveStream implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);
  private static final int MOST_CLIENTS = 32;
  private static final long PERIOD_MILLIS = 2_000;
  private static final int PING_EVERY = 5;
  private static final long END_MILLIS = 5_000;

  private final Views views;
  private final LongSupplier version;
  private final Runnable refresh;
  private final Set<Follower> followers = ConcurrentHashMap.newKeySet();
  private final ExecutorService writers =
      new ThreadPoolExecutor(
          0,
          2 * MOST_CLIENTS, // closed ones may still be writing
          END_MILLIS,
          TimeUnit.MILLISECONDS,
          new SynchronousQueue<>(),
          LiveStream::writer);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** Finds the documents of a view. */
  @FunctionalInterface
  interface Views {
    /** Returns the document of a view, each time as it is then. */
    Supplier<JsonNode> of(String view, Parameters parameters);
  }

  /** Sends one page its documents. */
  private static final class Follower {
    private final SseClient client;
    private final String event;
    private final Supplier<JsonNode> document;
    private final AtomicBoolean isBusy = new AtomicBoolean();
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
    this(
        (view, parameters) -> view(documents, view, parameters),
        () -> documents.aggregator().version(),
        () -> documents.overview().refresh(documents.now()));
  }

  LiveStream(Views views, LongSupplier version, Runnable refresh) {
    this.views = views;
    this.version = version;
    this.refresh = refresh;
    thread = VitalThread.of(this::run, "console-live");
  }

  private static Thread writer(Runnable work) {
    Thread thread = new Thread(work, "console-live-writer");
    thread.setDaemon(true);
    return thread;
  }

  void start() {
    thread.start();
  }

  /**
   * Checks whether a page that asks for a stream can get one.
   *
   * @throws ProblemException if there is no such view, or too many pages follow
   */
  void check(Parameters parameters) {
    Supplier<JsonNode> unused = views.of(parameters.required("view"), parameters);
    if (followers.size() >= MOST_CLIENTS) {
      throw new ProblemException(
          ConsoleProblem.TOO_MANY_STREAMS.of("at most " + MOST_CLIENTS + " streams"));
    }
  }

  /** Takes a page that asks for a stream and passed the check. */
  void open(SseClient client) {
    if (followers.size() >= MOST_CLIENTS) {
      client.close(); // others came between the check and now
      return;
    }
    follow(follower(client, new Parameters(client.ctx())));
  }

  private void follow(Follower follower) {
    follower.client.keepAlive();
    follower.client.onClose(() -> followers.remove(follower));
    followers.add(follower);
    send(follower);
  }

  private Follower follower(SseClient client, Parameters parameters) {
    String view = parameters.required("view");
    return new Follower(client, view, views.of(view, parameters));
  }

  private static Supplier<JsonNode> view(Documents documents, String view, Parameters parameters) {
    return switch (view) {
      case "overview" -> {
        var query = parameters.overview();
        yield () -> documents.overview(query);
      }
      case "segment" -> {
        String name = parameters.required("name");
        yield () -> documents.segment(name);
      }
      case "health" -> documents::health;
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
      refresh.run();
    } catch (RuntimeException e) { // streams of other documents go on
      LOG.warn("The overview is not refreshed", e);
    }
  }

  private void send(Follower follower) {
    if (!follower.isBusy.compareAndSet(false, true)) {
      return;
    }
    try {
      writers.execute(() -> write(follower));
    } catch (RejectedExecutionException e) {
      follower.isBusy.set(false); // the next tick tries again
    }
  }

  private void write(Follower follower) {
    try {
      follower.tick(version.getAsLong());
    } catch (RuntimeException e) {
      LOG.warn("A live stream ends", e);
      followers.remove(follower);
      follower.client.close();
    } finally {
      follower.isBusy.set(false);
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
    writers.shutdownNow();
  }
}
