package io.equipoise.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose request line and headers are not complete {@link #MOST_OF_HEADERS} after
 * their first byte, whose body is not complete {@link #MOST_OF_BODY} after it, or that send no
 * first request for as long as headers may take. The idle timeout does not do it: every byte begins
 * it again, and it does not end a body that the server waits for. Time in which this server is
 * short of threads or of processor time does not count: what is missing may have come and not been
 * read.
 */
final class SlowRequests extends AbstractLifeCycle {
  static final Duration MOST_OF_HEADERS = Duration.ofSeconds(10);
  static final Duration MOST_OF_BODY = Duration.ofSeconds(30);

  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final ServerConnector connector;

  /** When each connection was first seen without a complete request, by {@link System#nanoTime}. */
  private Map<EndPoint, Long> incomplete = new HashMap<>();

  private long sweptAt = System.nanoTime();

  SlowRequests(ServerConnector connector) {
    this.connector = connector;
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
    Map<EndPoint, Long> still = new HashMap<>();
    for (EndPoint endPoint : connector.getConnectedEndPoints()) {
      Duration most = most(endPoint.getConnection());
      if (most != null) {
        long since = isBehind ? now : incomplete.getOrDefault(endPoint, now);
        if (now - since > most.toNanos()) {
          endPoint.close();
        } else {
          still.put(endPoint, since);
        }
      }
    }
    incomplete = still;
    doStart();
  }

  /** Returns how long the part may take that a request lacks; null if none is missing. */
  private static @Nullable Duration most(Connection connection) {
    Connection plain =
        connection instanceof SslConnection tls ? tls.getSslEndPoint().getConnection() : connection;
    if (!(plain instanceof HttpConnection http)) {
      return null;
    }
    HttpParser parser = http.getParser();
    if (parser.inContentState()) {
      return MOST_OF_BODY;
    }
    boolean isIncomplete = parser.isStart() ? http.getMessagesIn() == 0 : parser.inHeaderState();
    return isIncomplete ? MOST_OF_HEADERS : null;
  }
}
