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

/**
 * Closes connections whose request line and headers are not complete {@link #MOST} after their
 * first byte, or that send no first request for as long. The idle timeout does not do it: every
 * byte begins it again. Time in which this server is short of threads or of processor time does not
 * count: what is missing may have come and not been read.
 */
final class SlowHeaders extends AbstractLifeCycle {
  static final Duration MOST = Duration.ofSeconds(10);

  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final ServerConnector connector;

  /** When each connection was first seen without complete headers, by {@link System#nanoTime}. */
  private Map<EndPoint, Long> incomplete = new HashMap<>();

  private long sweptAt = System.nanoTime();

  SlowHeaders(ServerConnector connector) {
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
      if (isIncomplete(endPoint.getConnection())) {
        long since = isBehind ? now : incomplete.getOrDefault(endPoint, now);
        if (now - since > MOST.toNanos()) {
          endPoint.close();
        } else {
          still.put(endPoint, since);
        }
      }
    }
    incomplete = still;
    doStart();
  }

  private static boolean isIncomplete(Connection connection) {
    Connection plain =
        connection instanceof SslConnection tls ? tls.getSslEndPoint().getConnection() : connection;
    if (!(plain instanceof HttpConnection http)) {
      return false;
    }
    HttpParser parser = http.getParser();
    return parser.isStart() ? http.getMessagesIn() == 0 : parser.inHeaderState();
  }
}
