package io.equipoise.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The answers come from a socket, so that a test sees when the client closes its connection. */
@Timeout(120)
class WholeAnswerTest {
  private static final Duration PATIENT = Duration.ofSeconds(60);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static HttpRequest request(ServerSocket listener) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.getLocalPort()))
        .build();
  }

  private static ServerSocket listener() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  /** Answers one connection; completes when the client has closed it. */
  private static CompletableFuture<Void> serve(ServerSocket listener, byte[] answer) {
    return CompletableFuture.runAsync(
        () -> {
          try (Socket connection = listener.accept()) {
            InputStream in = connection.getInputStream();
            in.read();
            connection.getOutputStream().write(answer);
            in.transferTo(OutputStream.nullOutputStream());
          } catch (IOException e) {
            // The client has reset the connection.
          }
        });
  }

  private static byte[] answer(int length, int sent) {
    String head = "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n";
    return (head + "x".repeat(sent)).getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void anAnswerOfExactlyTheLimitIsReturned() throws Exception {
    try (ServerSocket listener = listener()) {
      serve(listener, answer(1 << 20, 1 << 20));
      HttpResponse<byte[]> answer = WholeAnswer.of(http, request(listener), PATIENT, 1);
      assertEquals(200, answer.statusCode());
      byte[] body = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      assertArrayEquals(body, answer.body());
    }
  }

  @Test
  void anAnswerBeyondTheLimitIsAnErrorThatClosesTheConnection() throws Exception {
    try (ServerSocket listener = listener()) {
      CompletableFuture<Void> closed = serve(listener, answer(3 << 20, (1 << 20) + 1));
      IOException thrown =
          assertThrows(
              IOException.class, () -> WholeAnswer.of(http, request(listener), PATIENT, 1));
      assertEquals("the answer is longer than 1 MiB", thrown.getMessage());
      closed.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void aBodyThatDoesNotEndIsATimeoutThatClosesTheConnection() throws Exception {
    try (ServerSocket listener = listener()) {
      CompletableFuture<Void> closed = serve(listener, answer(100, 1));
      HttpTimeoutException thrown =
          assertThrows(
              HttpTimeoutException.class,
              () -> WholeAnswer.of(http, request(listener), Duration.ofMillis(300), 1));
      assertEquals("the timeout is over", thrown.getMessage());
      closed.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void anotherFailureIsItsOwnCause() throws Exception {
    HttpRequest request;
    try (ServerSocket listener = listener()) {
      request = request(listener);
    }
    assertThrows(ConnectException.class, () -> WholeAnswer.of(http, request, PATIENT, 1));
  }
}
