package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import io.equipoise.http.HttpServer;
import io.equipoise.http.HttpSettings;
import io.equipoise.http.ProblemException;
import io.equipoise.http.TokenScope;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one caller of the console can do to the others. */
@Timeout(60)
@Tag("slow")
class LiveStreamTest {
  /** Far more than the buffers of a connection take. */
  private static final int LARGE = 32 << 20;

  private static final AtomicLong VERSION = new AtomicLong();

  @Test
  void aPageThatDoesNotReadDelaysNoOther() throws Exception {
    LiveStream live =
        new LiveStream(
            (view, parameters) -> () -> TextNode.valueOf("x".repeat(Integer.parseInt(view))),
            VERSION::incrementAndGet,
            () -> {});
    try (HttpServer server =
            HttpServer.start(
                HttpSettings.loopback(0),
                routes -> routes.sse("/live", live::open, TokenScope.READ));
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      live.start();
      slow.getOutputStream()
          .write(
              "GET /live?view=%d HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
                  .formatted(LARGE)
                  .getBytes(StandardCharsets.US_ASCII));
      assertEquals('H', slow.getInputStream().read());
      var request = URI.create(server.address() + "/live?view=10").toURL().openConnection();
      request.setRequestProperty("Accept", "text/event-stream");
      request.setReadTimeout(15_000);
      long begin = System.nanoTime();
      try (BufferedReader fast =
          new BufferedReader(
              new InputStreamReader(request.getInputStream(), StandardCharsets.UTF_8))) {
        int documents = 0;
        while (documents < 4) {
          documents += fast.readLine().startsWith("event: 10") ? 1 : 0;
        }
      }
      Duration taken = Duration.ofNanos(System.nanoTime() - begin);
      assertTrue(taken.compareTo(Duration.ofSeconds(25)) < 0, taken::toString);
    } finally {
      live.close();
    }
  }

  @Test
  void searchesBeyondTheLimitAreToldToRetry() {
    Semaphore two = new Semaphore(2);
    ProblemException refused =
        Documents.limited(
            two,
            "2 searches",
            () ->
                Documents.limited(
                    two,
                    "2 searches",
                    () ->
                        assertThrows(
                            ProblemException.class,
                            () -> Documents.limited(two, "2 searches", () -> "found"))));
    assertEquals(429, refused.problem().status());
    assertTrue(refused.problem().retryAfterSeconds() > 0);
    assertEquals("found", Documents.limited(two, "2 searches", () -> "found"));
  }
}
