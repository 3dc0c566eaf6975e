package io.equipoise.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.equipoise.client.GatewayClient.Asked;
import io.equipoise.client.GatewayClient.Served;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer that no gateway gives is no answer. The same cases are in the tests of the clients. */
@Timeout(300)
class UndocumentedAnswerTest {
  private static final String DECIDED =
      """
      {"decisionId": "d-1", "segment": "offers", "arm": "offer=small", "reason": "EXPLOIT"}""";
  private static final Asked ASKED = new Asked("offers", Map.of(), null, "a", "d-1", 7L);
  private static final Asked BARE = new Asked("offers", Map.of(), null, null, "d-1", 7L);
  private static final Served SERVED =
      new Served("offers", "d-1", "a", "UNAVAILABLE", Map.of(), true, null);

  @FunctionalInterface
  private interface Script {
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private HttpServer server = null;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private GatewayClient client(Duration timeout, Script script) {
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            script.answer(exchange);
          } catch (InterruptedException e) {
            throw new InterruptedIOException(e.toString());
          }
        });
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new GatewayClient(address, null, timeout, 0, Clock.systemUTC());
  }

  private GatewayClient client(int status, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return client(
        Duration.ofSeconds(30),
        exchange -> {
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
        });
  }

  private static void assertUnavailable(String part, Executable call) {
    GatewayException thrown = assertThrows(GatewayException.class, call);
    assertTrue(thrown.isUnavailable());
    assertEquals("UNAVAILABLE", thrown.code());
    assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
  }

  @Test
  void everyCallEndsWithinTheTimeoutThoughTheBodyDoesNot() throws Exception {
    GatewayClient client =
        client(
            Duration.ofMillis(300),
            exchange -> {
              exchange.sendResponseHeaders(200, 100);
              exchange.getResponseBody().write(' ');
              exchange.getResponseBody().flush();
              end.await();
            });
    assertTrue(client.decide(ASKED).isFallback());
    assertTrue(client.decide(List.of(ASKED)).get(0).get().isFallback());
    assertUnavailable("last: the timeout is over", () -> client.decide(BARE));
    assertUnavailable("last: the timeout is over", () -> client.reward(SERVED, 1));
    assertUnavailable("last: the timeout is over", () -> client.shown(SERVED));
  }

  @ParameterizedTest
  @CsvSource({
    "'HTTP/1.1 200 OK|Content-Length: 300||{',the connection was closed before the whole answer",
    "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|{',"
        + "the connection was closed before the whole answer",
    "'SSH-2.0-OpenSSH|',the answer is no HTTP"
  })
  void anAnswerThatIsNotWholeIsNamedInWords(String lines, String words) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      byte[] bytes = lines.replace("|", "\r\n").getBytes(StandardCharsets.UTF_8);
      threads.execute(() -> answer(listener, bytes));
      URI address = URI.create("http://127.0.0.1:" + listener.getLocalPort());
      GatewayClient client =
          new GatewayClient(address, null, Duration.ofSeconds(30), 0, Clock.systemUTC());
      assertUnavailable("last: " + words, () -> client.decide(BARE));
    }
  }

  @Test
  void aServerWithoutTlsIsNamedInWords() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      byte[] bytes = "HTTP/1.1 400 Bad\r\n\r\n".getBytes(StandardCharsets.UTF_8);
      threads.execute(() -> answer(listener, bytes));
      URI address = URI.create("https://127.0.0.1:" + listener.getLocalPort());
      GatewayClient client =
          new GatewayClient(address, null, Duration.ofSeconds(30), 0, Clock.systemUTC());
      assertUnavailable("last: no TLS connection: ", () -> client.decide(BARE));
    }
  }

  /** Ends the answer before the connection: closing it with unread bytes would be a reset. */
  private static void answer(ServerSocket listener, byte[] bytes) {
    try (Socket connection = listener.accept()) {
      connection.setSoTimeout(5000);
      connection.getInputStream().read();
      connection.getOutputStream().write(bytes);
      connection.shutdownOutput();
      connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The client has reset the connection, or keeps it after an answer that is no HTTP.
    }
  }

  @Test
  void anAnswerIsReadUpToItsLimit() {
    byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    GatewayClient client =
        client(
            Duration.ofMinutes(5),
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              for (int mebibytes = 0; mebibytes <= 128; mebibytes++) {
                exchange.getResponseBody().write(blanks);
              }
              exchange.getResponseBody().write(DECIDED.getBytes(StandardCharsets.UTF_8));
            });
    assertUnavailable("128 MiB", () -> client.decide(BARE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "''",
        "\"\"",
        "null",
        "[]",
        "{}",
        "{\"decisionId\": \"d-1\", \"arm\": \"a\"}",
        "{\"decisionId\": \"d-1\", \"reason\": \"EXPLOIT\"}",
        "{\"decisionId\": \"d-2\", \"arm\": \"a\", \"reason\": \"EXPLOIT\"}",
        "{\"decisionId\": \"d-1\", \"arm\": 1, \"reason\": \"EXPLOIT\"}",
        "{\"decisionId\": \"d-1\", \"arm\": \"a\", \"reason\": \"EXPLOIT\", \"candidates\": [1]}",
        "{\"decisionId\": \"d-1\", \"arm\": \"a\", \"reason\": \"EXPLOIT\", \"fairness\": null}",
        "{\"decisionId\": \"d-1\", \"arm\": \"a\", \"reason\": \"EXPLOIT\", \"fairness\": [\"x\"]}"
      })
  void anotherAnswerThanADecisionIsTheFallback(String body) throws Exception {
    GatewayClient client = client(200, body);
    Served served = client.decide(ASKED);
    assertEquals("a", served.arm());
    assertTrue(served.isFallback());
    assertUnavailable("", () -> client.decide(BARE));
  }

  /** Not in the words of a parser, which name its classes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html>",
        "{\"decisionId\": \"d-1\", \"arm\": \"a\", \"reason\": \"EXPLOIT\","
            + " \"fairness\": [{\"attribute\": {}}]}"
      })
  void anAnswerOfAnotherFormIsNamedInOurWords(String body) {
    GatewayClient client = client(200, body);
    assertUnavailable(
        "the answer with status 200 is not the documented one: no JSON of its form",
        () -> client.decide(BARE));
  }

  @Test
  void anotherStatusThanTheDocumentedOneIsTheFallback() throws Exception {
    assertTrue(client(302, DECIDED).decide(ASKED).isFallback());
  }

  @Test
  void anAnswerThatIsNestedTooDeeplyIsTheFallback() throws Exception {
    String deep = "[".repeat(100_000);
    assertTrue(client(200, deep).decide(ASKED).isFallback());
  }

  @Test
  void aProblemThatIsNestedTooDeeplyIsARejectionStill() {
    GatewayClient client = client(422, "[".repeat(100_000));
    GatewayException thrown = assertThrows(GatewayException.class, () -> client.decide(ASKED));
    assertFalse(thrown.isUnavailable());
    assertEquals("HTTP_422", thrown.code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"decisions\": []}", "{\"decisions\": [{\"problem\": 1}]}"})
  void aBatchWithAnotherNumberOfResultsIsAllFallbacks(String body) throws Exception {
    GatewayClient client = client(200, body);
    assertTrue(client.decide(List.of(ASKED)).get(0).get().isFallback());
    assertUnavailable("", () -> client.decide(List.of(BARE)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"x\"", "{}", "{\"segment\": \"offers\", \"decisionId\": \"d-2\"}"})
  void aRewardIsAcceptedByItsDocumentedAnswerOnly(String body) {
    assertUnavailable("", () -> client(202, body).reward(SERVED, 1));
  }

  @Test
  void aRewardIsNotAcceptedByAnotherStatus() {
    String accepted = "{\"segment\": \"offers\", \"decisionId\": \"d-1\"}";
    assertUnavailable("200", () -> client(200, accepted).reward(SERVED, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"x\"", "[]"})
  void whatWasShownIsAcceptedByItsDocumentedAnswerOnly(String body) {
    assertUnavailable("", () -> client(202, body).shown(SERVED));
  }
}
