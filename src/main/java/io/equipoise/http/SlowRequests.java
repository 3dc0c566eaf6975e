package io.equipoise.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Ends slow requests, with 408 where the server waits for the rest of a body: request line and
 * headers must be complete within {@link Limits#headers()} of their first byte, and the body within
 * {@link Limits#body()}. The first request may take as long as headers to begin, a further one
 * {@link Limits#between()}. The idle timeout does not suffice: every byte restarts it, also one of
 * a blank line between requests, and it does not end a body that the server waits for. Time in
 * which this server is short of threads or of processor time does not count: the missing bytes may
 * have arrived unread.
 *
 * <p>State: the connections without a complete request at the last sweep, and its time. One sweep
 * at a time runs in the connector's scheduler.
 */
final class SlowRequests extends AbstractLifeCycle {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final ServerConnector connector;
  private final Limits limits;

  private Map<EndPoint, Gap> incomplete = new HashMap<>();

  private long sweptAt = System.nanoTime();

  /**
   * Limits the time of the parts of a request.
   *
   * @param headers request line and headers
   * @param body from its first byte
   * @param between from the end of a request to the beginning of the next
   */
  record Limits(Duration headers, Duration body, Duration between) {
    static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(30));
  }

  /**
   * Times a connection without a complete request.
   *
   * @param messages requests before
   * @param since when it was first seen so, by {@link System#nanoTime}
   */
  private record Gap(long messages, long since) {}

  SlowRequests(ServerConnector connector, Limits limits) {
    this.connector = connector;
    this.limits = limits;
  }

  @Override
  protected void doStart() {
    var unused =
        connector.getScheduler().schedule(this::sweep, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    if (!isRunning() && !isStarting()) {
      return;
    }
    long now = System.nanoTime();
    boolean isBehind =
        now - sweptAt > 2 * PERIOD.toNanos()
            || connector.getServer().getThreadPool().isLowOnThreads();
    sweptAt = now;
    Map<EndPoint, Gap> still = new HashMap<>();
    for (EndPoint endPoint : connector.getConnectedEndPoints()) {
      HttpConnection http = http(endPoint.getConnection());
      Duration most = http == null ? null : most(http.getParser(), http.getMessagesIn());
      if (http != null && most != null) {
        Gap fresh = new Gap(http.getMessagesIn(), now);
        Gap known = incomplete.getOrDefault(endPoint, fresh);
        Gap gap = isBehind || known.messages != fresh.messages ? fresh : known;
        if (now - gap.since > most.toNanos()) {
          end(endPoint);
        } else {
          still.put(endPoint, gap);
        }
      }
    }
    incomplete = still;
    doStart();
  }

  /** A read that waits for the missing bytes fails: closed without it, its request never ends. */
  private static void end(EndPoint endPoint) {
    boolean isTold =
        endPoint instanceof AbstractEndPoint waiting
            && waiting.getFillInterest().onFail(new TimeoutException("the request is too slow"));
    if (!isTold) {
      endPoint.close();
    }
  }

  private static @Nullable HttpConnection http(Connection connection) {
    Connection plain =
        connection instanceof SslConnection tls ? tls.getSslEndPoint().getConnection() : connection;
    return plain instanceof HttpConnection http ? http : null;
  }

  /** Returns how long the part may take that a request lacks; null if none is missing. */
  private @Nullable Duration most(HttpParser parser, long messages) {
    if (parser.inContentState()) {
      return limits.body();
    }
    if (parser.isStart() && messages > 0) {
      return limits.between();
    }
    return parser.isStart() || parser.inHeaderState() ? limits.headers() : null;
  }
}
