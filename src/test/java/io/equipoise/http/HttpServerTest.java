package io.equipoise.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.equipoise.http.ApiTokens.NewToken;
import io.equipoise.job.Said;
import io.javalin.Javalin;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@Tag("slow")
class HttpServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the handler reads in a round has 200 KiB, so 60 kept ones are far beyond. */
  private static final long MEMORY_TOLERANCE = 10 << 20;

  /** A leak shows in each attempt; other suites of this JVM may allocate during one. */
  private static final int ATTEMPTS = 3;

  private static final List<String> MALFORMED =
      List.of(
          "{\"a\": ",
          "",
          "[1]",
          "{} {}",
          "/*x*/ {}",
          "{\"a\": +5}",
          "{\"a\": NaN}",
          "{\"a\": 1, \"a\": 2}",
          "{\"a\": " + "9".repeat(100) + "}",
          "{\"a\":" + "[".repeat(5000) + "]".repeat(5000) + "}",
          "{\"a\": \"" + "x".repeat(200_000) + "}",
          "{\"a\": \"x\\udc00y\"}",
          "{\"a\": [{\"\\ud800\": 1}]}",
          "{\"a\": \"\\ud800\\u0041\"}");

  private static final String HEADER = "GET /public HTTP/1.1\r\nLong: ";

  private static final String HALF =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: 2000\r\n\r\n";

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  private final CompletableFuture<String> later = new CompletableFuture<>();
  private final CountDownLatch waiting = new CountDownLatch(1);

  private final CompletableFuture<String> large = new CompletableFuture<>();
  private final CompletableFuture<String> small = new CompletableFuture<>();
  private final CountDownLatch asked = new CountDownLatch(2);

  private HttpServer server = start(HttpSettings.loopback(0));

  @TempDir private Path directory;

  @AfterEach
  void stop() {
    later.complete("late");
    server.close();
  }

  @Test
  void aPortInUseIsReportedByTheExceptionAlone() throws Exception {
    List<String> said =
        Said.by(
            Javalin.class,
            () -> {
              IllegalStateException refused =
                  assertThrows(
                      IllegalStateException.class,
                      () -> start(HttpSettings.loopback(server.port())));
              assertTrue(refused.getMessage().endsWith("; choose a free port"));
            });
    assertEquals(List.of(), said);
  }

  @Test
  void aBodyIsReadAndAnswered() throws Exception {
    HttpResponse<String> answer = post("/echo", "{\"a\": [1, 2]}");
    assertEquals(200, answer.statusCode());
    assertEquals("{\"a\":[1,2]}", answer.body());
  }

  @Test
  void everyHostileBodyGetsAProblemDocument() throws Exception {
    sendHostileBodies();
    assertProblem(
        send(
            request("/echo")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}"))),
        415,
        "UNSUPPORTED_MEDIA_TYPE");
  }

  @Test
  void aParameterOfTwoValuesIsRefused() throws Exception {
    HttpResponse<String> answer = send(request("/public?segment=a&one=1&segment=%61").GET());
    assertProblem(answer, 400, "INVALID_REQUEST");
    assertEquals(
        "segment: the query parameter is given 2 times",
        JSON.readTree(answer.body()).path("detail").asText());
  }

  /** Also of bodies that are too long: a connection that breaks would not do so every time. */
  @Test
  void hostileBodiesLeaveNothingInMemory() throws Exception {
    for (int warmUp = 0; warmUp < 20; warmUp++) {
      sendHostileBodies();
    }
    long more = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && more >= MEMORY_TOLERANCE; attempt++) {
      long before = usedBytes();
      for (int round = 0; round < 60; round++) {
        sendHostileBodies();
      }
      more = usedBytes() - before;
    }
    assertTrue(more < MEMORY_TOLERANCE, more + " bytes");
  }

  /** A parser's cache of headers is 35 KB of each connection: 4,096 of them ended a gateway. */
  @Test
  void aConnectionOccupiesLittleMemory() throws Exception {
    byte[] twice =
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nMy-Header: x\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"
            .repeat(3)
            .getBytes(StandardCharsets.US_ASCII);
    long each = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && each >= 16_000; attempt++) {
      each = bytesOfConnection(twice);
    }
    assertTrue(each < 16_000, each + " bytes");
  }

  private long bytesOfConnection(byte[] requests) throws IOException {
    List<Socket> open = new ArrayList<>();
    try {
      long before = 0;
      for (int number = 0; number < 400; number++) {
        if (number == 100) {
          before = usedBytes();
        }
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        open.add(socket);
        socket.getOutputStream().write(requests);
        assertTrue(socket.getInputStream().readNBytes(300).length == 300);
      }
      return (usedBytes() - before) / 300;
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private void sendHostileBodies() throws Exception {
    for (String body : MALFORMED) {
      HttpResponse<String> answer = post("/echo", body);
      assertProblem(answer, 400, "MALFORMED_JSON");
      assertFalse(answer.body().matches("(?s).*(jackson|Feature|ALLOW_|Source).*"), answer::body);
    }
    assertProblem(post("/echo", "{\"a\": \"" + "x".repeat(1 << 20) + "\"}"), 413, "TOO_LARGE");
  }

  private static long usedBytes() {
    System.gc();
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    return memory.getHeapMemoryUsage().getUsed() + memory.getNonHeapMemoryUsage().getUsed();
  }

  /** Several such texts would be one on the topics. */
  @Test
  void bytesThatAreNoUtf8AreRefusedInBodiesAndAddresses() throws Exception {
    for (int[] bytes :
        List.of(
            new int[] {0xED, 0xA0, 0x80}, // a surrogate
            new int[] {0xC0, 0x80}, // an overlong zero
            new int[] {0xE4})) {
      byte[] body = "{\"a\": \"   \"}".getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < bytes.length; i++) {
        body[7 + i] = (byte) bytes[i];
      }
      assertProblem(post("/echo", BodyPublishers.ofByteArray(body)), 400, "MALFORMED_JSON");
    }
    byte[] wide = "{\"a\": 1}".getBytes(StandardCharsets.UTF_16LE);
    assertProblem(post("/echo", BodyPublishers.ofByteArray(wide)), 400, "MALFORMED_JSON");
    assertEquals(200, post("/echo", "{\"a\": \"\\ud83d\\ude00\"}").statusCode());
    String marked = "line 1, column 1: a byte order mark; send the text without it";
    assertEquals(marked, detail("\uFEFF{}"));
    assertEquals(200, send(request("/read?a=%C3%A4")).statusCode());
    assertEquals(200, send(request("/read/%F0%9F%98%80")).statusCode());
    for (String path : List.of("/read/%ED%A0%80", "/read/x%C0%80", "/read?a=%E4")) {
      assertEquals(400, send(request(path)).statusCode(), path);
    }
    HttpResponse<String> deep = post("/echo", "{\"a\":" + "[".repeat(20) + "]".repeat(20) + "}");
    assertProblem(deep, 400, "MALFORMED_JSON");
    assertFalse(deep.body().contains("StreamReadConstraints"), deep.body());
  }

  @Test
  void aMalformedBodyIsRefusedWithItsPlace() throws Exception {
    String surrogate = ": an unpaired surrogate, which has no UTF-8 form; send whole characters";
    assertEquals("a.b[1]" + surrogate, detail("{\"a\": {\"b\": [1, \"x\\udc00y\"]}}"));
    assertEquals("a[0], a name" + surrogate, detail("{\"a\": [{\"\\ud800\": 1}]}"));
    String deep = "{\"a\":" + "[".repeat(20) + "]".repeat(20) + "}";
    String digits = "{\"a\":\n" + "9".repeat(100) + "}";
    assertTrue(detail(deep).startsWith("line 1, column 2"), detail(deep));
    assertTrue(detail(digits).startsWith("line 2, column "), detail(digits));
    assertEquals(
        "line 1, column 11: a key that the object already has", detail("{\"a\":1,\"a\":2}"));
    assertTrue(detail("{} {}").startsWith("line 1, column "), detail("{} {}"));
    byte[] latin = "{\n\"a\": \"\u00e4\"}".getBytes(StandardCharsets.ISO_8859_1);
    HttpResponse<String> answer = post("/echo", BodyPublishers.ofByteArray(latin));
    assertEquals("line 2, column 7: bytes that are no UTF-8", detailOf(answer));
  }

  private String detail(String body) throws Exception {
    return detailOf(post("/echo", body));
  }

  private static String detailOf(HttpResponse<String> answer) throws IOException {
    return JSON.readTree(answer.body()).path("detail").asText();
  }

  @Test
  void anotherCharsetThanUtf8IsRefused() throws Exception {
    for (String charset : List.of("iso-8859-1", "\"UTF-16\"", "utf-80")) {
      HttpResponse<String> answer = send(typed("application/json; charset=" + charset));
      assertProblem(answer, 415, "UNSUPPORTED_MEDIA_TYPE");
      assertTrue(detailOf(answer).endsWith("the charset must be utf-8"), answer::body);
    }
    for (String type : List.of("application/json", "Application/JSON;CHARSET=\"UTF-8\"")) {
      assertEquals(200, send(typed(type)).statusCode(), type);
    }
  }

  private HttpRequest.Builder typed(String type) {
    return request("/echo").header("Content-Type", type).POST(BodyPublishers.ofString("{}"));
  }

  @Test
  void whatTheServerRefusesBeforeARouteHasADetail() throws Exception {
    String large = "{\"a\": \"" + "x".repeat(1 << 20) + "\"}";
    assertEquals("the body has more than 262144 bytes", detail(large));
    String header = "x".repeat(40_000);
    String most = "the request line and the headers have more than 32768 bytes";
    assertEquals(most, detailOf(send(request("/echo").header("Long", header).GET())));
    assertEquals(most, detailOf(send(request("/read/" + header).GET())));
    String bad = raw("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 500);
    assertTrue(bad.contains("\"detail\":\"the request is no valid HTTP message"), bad);
  }

  /** One thread ends the futures of all callers, as that of a gateway's decisions does. */
  @Test
  void aCallerThatDoesNotReadItsAnswerDelaysNoOther() throws Exception {
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      slow.getOutputStream()
          .write(
              "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      CompletableFuture<HttpResponse<String>> other =
          client.sendAsync(request("/small").GET().build(), BodyHandlers.ofString());
      asked.await();
      var unused =
          CompletableFuture.runAsync(
              () -> {
                large.complete("x".repeat(32 << 20));
                small.complete("done");
              });
      assertEquals("done", other.get(20, TimeUnit.SECONDS).body());
    }
  }

  @Test
  void everyOtherErrorIsAProblemDocumentWithoutAStackTrace() throws Exception {
    assertProblem(send(request("/nothing").GET()), 404, "NOT_FOUND");
    assertProblem(send(request("/echo").GET()), 405, "METHOD_NOT_ALLOWED");
    assertProblem(send(request("/fails").GET()), 500, "INTERNAL");
    assertProblem(send(request("/fails-later").GET()), 500, "INTERNAL");
    assertProblem(send(request("/busy").GET()), 429, "TOO_MANY_REQUESTS");
    assertEquals("7", send(request("/busy").GET()).headers().firstValue("Retry-After").orElse(""));
    assertProblem(
        send(request("/echo").header("Long", "x".repeat(40_000)).GET()), 431, "INVALID_REQUEST");
    String answer = raw("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n");
    assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
    assertTrue(answer.contains(Problem.MEDIA_TYPE), answer);
    assertFalse(answer.contains("at org."), answer);
  }

  @Test
  void aPageOfAnotherNameCannotCallALoopbackServerWithoutTokens() throws Exception {
    for (String other :
        List.of(
            "attacker.example",
            "127.evil.com",
            "127.0.0.1.evil.com:8080",
            "127.0.0.1.",
            "127.1",
            "127.0.0.256",
            "127.0.0.0x1",
            "127.0.0.01",
            "localhost.evil.com")) {
      assertTrue(rawWithHost(other).startsWith("HTTP/1.1 403"), other);
    }
    for (String own : List.of("localhost:80", "LocalHost", "127.0.0.1:1", "127.9.0.255", "[::1]")) {
      assertTrue(rawWithHost(own).startsWith("HTTP/1.1 200"), own);
    }
  }

  private String rawWithHost(String host) throws IOException {
    return raw("GET /read HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  }

  /** A session would stay in memory for ever: nobody ends it. */
  @Test
  void aRequestToUpgradeIsServedAsAnyOtherAndLeavesNoSession() throws Exception {
    assertTrue(upgrade("/read", "evil.example").startsWith("HTTP/1.1 403"));
    for (String path : List.of("/read", "/nothing")) {
      String answer = upgrade(path, "localhost");
      assertTrue(answer.startsWith("HTTP/1.1 " + (path.equals("/read") ? 200 : 404)), answer);
      assertFalse(answer.contains("Set-Cookie"), answer);
    }
    restart(ApiTokens.read(tokens(ApiTokens.generate("page", TokenScope.READ))), Duration.ZERO);
    assertTrue(upgrade("/read", "localhost").startsWith("HTTP/1.1 401"));
  }

  private String upgrade(String path, String host) throws IOException {
    return raw(
        "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                .formatted(path, host)
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        100);
  }

  /** Neither body ever comes whole. */
  @Test
  void aRequestOfAnotherHostOrWithoutUseForItsBodyIsAnsweredBeforeTheBody() throws Exception {
    String half = HALF.replace("localhost", "evil.example") + "{";
    assertTrue(raw(half).startsWith("HTTP/1.1 403"));
    assertTrue(raw(HALF.replace("POST /echo", "GET /read") + "{").startsWith("HTTP/1.1 200"));
  }

  @Test
  void aHeaderCannotChangeTheMethod() throws Exception {
    HttpRequest.Builder disguised = request("/echo").header("X-HTTP-Method-Override", "POST").GET();
    assertProblem(send(disguised), 400, "INVALID_REQUEST");
  }

  @Test
  void headIsAGetWithoutABody() throws Exception {
    HttpResponse<String> get = send(request("/read").GET());
    HttpResponse<String> head = send(request("/read").method("HEAD", BodyPublishers.noBody()));
    assertEquals(200, head.statusCode());
    assertEquals("", head.body());
    assertEquals(
        get.headers().firstValue("Content-Length"), head.headers().firstValue("Content-Length"));
    restart(ApiTokens.read(tokens(ApiTokens.generate("page", TokenScope.READ))), Duration.ZERO);
    assertEquals(401, send(request("/read").method("HEAD", BodyPublishers.noBody())).statusCode());
  }

  @Test
  void aWrongMethodIsToldTheRightOnes() throws Exception {
    HttpResponse<String> answer = send(request("/echo").GET());
    assertProblem(answer, 405, "METHOD_NOT_ALLOWED");
    assertEquals("POST", answer.headers().firstValue("Allow").orElse(""));
    HttpResponse<String> other = send(request("/read").DELETE());
    assertEquals("GET, HEAD", other.headers().firstValue("Allow").orElse(""));
  }

  @Test
  void anEncodedBodyIsRefused() throws Exception {
    HttpRequest.Builder packed =
        request("/echo")
            .header("Content-Type", "application/json")
            .header("Content-Encoding", "gzip")
            .POST(BodyPublishers.ofString("{}"));
    assertProblem(send(packed), 415, "UNSUPPORTED_MEDIA_TYPE");
  }

  /** The idle timeout never ends these connections: their bytes trickle. */
  @Test
  void headersAndBodiesThatTakeTooLongAreCutOff() throws Exception {
    assertEquals(
        new SlowRequests.Limits(
            Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(30)),
        SlowRequests.Limits.DEFAULT);
    server.close();
    SlowRequests.Limits brief =
        new SlowRequests.Limits(
            Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(4));
    server = HttpServer.start(HttpSettings.loopback(0), brief, this::routes);
    try (Socket first = new Socket(InetAddress.getLoopbackAddress(), server.port());
        Socket second = new Socket(InetAddress.getLoopbackAddress(), server.port());
        Socket third = new Socket(InetAddress.getLoopbackAddress(), server.port());
        Socket blank = new Socket(InetAddress.getLoopbackAddress(), server.port());
        Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      silent.getOutputStream().write((HALF + "{").getBytes(StandardCharsets.US_ASCII));
      long endOfBody = System.nanoTime() + Duration.ofSeconds(45).toNanos();
      CompletableFuture<Boolean> body =
          CompletableFuture.supplyAsync(() -> isCutOff(third, HALF, endOfBody));
      second
          .getOutputStream()
          .write(
              "GET /public HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertEquals('H', second.getInputStream().read());
      blank
          .getOutputStream()
          .write(
              "GET /public HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      CompletableFuture<Boolean> between =
          CompletableFuture.supplyAsync(() -> isCutOff(blank, "\r\n".repeat(500), endOfBody));
      long end = System.nanoTime() + Duration.ofSeconds(25).toNanos();
      CompletableFuture<Boolean> other =
          CompletableFuture.supplyAsync(() -> isCutOff(second, HEADER, end));
      assertTrue(isCutOff(first, HEADER, end), "trickled its first header");
      assertTrue(other.get(), "trickled its second header");
      assertTrue(body.get(), "trickled its body");
      assertTrue(between.get(), "trickled blank lines after its request");
      silent.setSoTimeout(15_000);
      String answer = new String(silent.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(answer.startsWith("HTTP/1.1 408 "), "stopped in its body: " + answer);
    }
    // none of them is left, or the end would wait for the grace time of 30 s
    CompletableFuture.runAsync(server::close).get(20, TimeUnit.SECONDS);
  }

  /** Sends a byte of a text, and then x, each 100 ms until the server ends the connection. */
  private static boolean isCutOff(Socket socket, String text, long end) {
    byte[] start = text.getBytes(StandardCharsets.US_ASCII);
    for (int sent = 0; System.nanoTime() < end; sent++) {
      try {
        socket.setSoTimeout(100);
        socket.getOutputStream().write(sent < start.length ? start[sent] : 'x');
        for (int read = 0; read >= 0; read = socket.getInputStream().read()) {
          assertTrue(System.nanoTime() < end, "answers without end");
        }
        return true;
      } catch (SocketTimeoutException e) {
        // it is still open
      } catch (IOException e) {
        return true;
      }
    }
    return false;
  }

  @Test
  void tokensAllowWhatTheirScopeCovers() throws Exception {
    NewToken reader = ApiTokens.generate("page", TokenScope.READ);
    NewToken writer = ApiTokens.generate("shop", TokenScope.WRITE);
    Path file = tokens(reader, writer);
    assertFalse(Files.readString(file).contains(writer.token()));
    restart(ApiTokens.read(file), Duration.ofSeconds(30));
    assertProblem(send(request("/read").GET()), 401, "UNAUTHORIZED");
    assertProblem(with("wrong", request("/read").GET()), 401, "UNAUTHORIZED");
    assertProblem(with(reader.token(), write()), 403, "FORBIDDEN");
    assertEquals(200, with(reader.token(), request("/read").GET()).statusCode());
    assertEquals(200, with(writer.token(), request("/read").GET()).statusCode());
    assertEquals(200, with(writer.token(), write()).statusCode());
    HttpRequest.Builder asSdk = write().header("Ocp-Apim-Subscription-Key", writer.token());
    assertEquals(200, send(asSdk).statusCode());
    HttpRequest.Builder asReader = write().header("Ocp-Apim-Subscription-Key", reader.token());
    assertProblem(send(asReader), 403, "FORBIDDEN");
    assertEquals(200, send(request("/public").GET()).statusCode());
  }

  @Test
  void aStopWaitsForOpenRequests() throws Exception {
    CompletableFuture<HttpResponse<String>> open =
        client.sendAsync(request("/later").GET().build(), BodyHandlers.ofString());
    waiting.await();
    CompletableFuture<Void> stop = CompletableFuture.runAsync(server::close);
    assertFalse(stop.isDone());
    later.complete("done");
    assertEquals("done", open.get().body());
    stop.get();
  }

  /** The others wait in the queue of the operating system, and are served in their turn. */
  @Test
  void connectionsBeyondTheLimitAreNotReset() throws Exception {
    HttpSettings open = HttpSettings.loopback(0);
    server.close();
    server =
        start(
            new HttpSettings(
                open.address(),
                open.port(),
                null,
                null,
                open.tokens(),
                open.maxRequestBytes(),
                200,
                open.stopTimeout()));
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 350; i++) {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), 2_000);
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    assertEquals(350, sockets.size());
  }

  @Test
  void slowBodiesTakeNoThreads() throws Exception {
    restart(ApiTokens.none(), Duration.ofSeconds(1)); // a stop waits for half a body that long
    List<Socket> slow = new ArrayList<>();
    try {
      for (int number = 0; number < 300; number++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
                    .getBytes(StandardCharsets.US_ASCII));
      }
      assertEquals(200, post("/echo", "{}").statusCode());
      slow.get(0).getOutputStream().write("\"a\": 12}".getBytes(StandardCharsets.US_ASCII));
      byte[] start = slow.get(0).getInputStream().readNBytes(12);
      assertEquals("HTTP/1.1 200", new String(start, StandardCharsets.US_ASCII));
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  /** The stop timeout is the grace time of requests whose body has arrived, too. */
  @Test
  void halfABodyDelaysAStopNoLongerThanItsGraceTime() throws Exception {
    restart(ApiTokens.none(), Duration.ofSeconds(1));
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      slow.getOutputStream()
          .write(
              "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
                  .getBytes(StandardCharsets.US_ASCII));
      assertEquals(200, post("/echo", "{}").statusCode());
      long start = System.nanoTime();
      server.close();
      Duration taken = Duration.ofNanos(System.nanoTime() - start);
      assertTrue(taken.compareTo(Duration.ofSeconds(20)) < 0, taken::toString);
    }
  }

  @Test
  void aKeystoreTurnsOnTls() throws Exception {
    Path keystore = directory.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                keystore.toString(),
                "-storepass",
                "secret")
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, keytool.waitFor(), said);
    restart(keystore, ApiTokens.none(), Duration.ofSeconds(30));
    assertTrue(server.address().startsWith("https://127.0.0.1:"), server.address());
    KeyStore trusted = KeyStore.getInstance(keystore.toFile(), "secret".toCharArray());
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    certificates.setCertificateEntry("server", trusted.getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificates);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    HttpClient secure = HttpClient.newBuilder().sslContext(tls).build();
    HttpRequest echo =
        request("/echo")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"a\": 1}"))
            .build();
    HttpResponse<String> answer = secure.send(echo, BodyHandlers.ofString());
    assertEquals(200, answer.statusCode());
    assertEquals("{\"a\":1}", answer.body());
    assertTrue(answer.sslSession().isPresent());
    assertThrows(SSLException.class, () -> client.send(echo, BodyHandlers.ofString()));
    assertFalse(raw("GET /public HTTP/1.1\r\nHost: localhost\r\n\r\n").contains("200"));
  }

  private Path tokens(NewToken... all) throws IOException {
    Path file = directory.resolve("tokens");
    StringBuilder lines = new StringBuilder("# ours\n");
    for (NewToken one : all) {
      lines.append(one.line()).append('\n');
    }
    return Files.writeString(file, lines);
  }

  private void restart(ApiTokens tokens, Duration stopTimeout) {
    restart(null, tokens, stopTimeout);
  }

  private void restart(Path keystore, ApiTokens tokens, Duration stopTimeout) {
    server.close();
    HttpSettings open = HttpSettings.loopback(0);
    server =
        start(
            new HttpSettings(
                open.address(),
                0,
                keystore,
                keystore == null ? null : "secret",
                tokens,
                open.maxRequestBytes(),
                open.maxConnections(),
                stopTimeout));
  }

  private HttpServer start(HttpSettings settings) {
    return HttpServer.start(settings, this::routes);
  }

  private void routes(RoutesConfig routes) {
    routes.post("/echo", it -> JsonBody.answer(it, 200, JsonBody.read(it)), TokenScope.WRITE);
    routes.get("/read", HttpServerTest::empty, TokenScope.READ);
    routes.get("/read/{name}", HttpServerTest::empty, TokenScope.READ);
    routes.get("/public", HttpServerTest::empty, TokenScope.PUBLIC);
    routes.get(
        "/fails",
        it -> {
          throw new IllegalStateException("secret");
        },
        TokenScope.READ);
    routes.get(
        "/fails-later",
        it -> it.future(() -> CompletableFuture.failedFuture(new IllegalStateException("secret"))),
        TokenScope.READ);
    routes.get(
        "/busy",
        it ->
            it.future(
                () ->
                    CompletableFuture.failedFuture(
                        new ProblemException(
                            Problem.of(HttpCode.TOO_MANY_REQUESTS, null).retryAfter(7)))),
        TokenScope.READ);
    routes.get(
        "/large", it -> HttpServer.later(it, () -> asked(large), it::result), TokenScope.READ);
    routes.get(
        "/small", it -> HttpServer.later(it, () -> asked(small), it::result), TokenScope.READ);
    routes.get(
        "/later",
        it -> {
          it.future(() -> later.thenAccept(it::result));
          waiting.countDown();
        },
        TokenScope.READ);
  }

  private CompletableFuture<String> asked(CompletableFuture<String> answer) {
    asked.countDown();
    return answer;
  }

  private static void empty(Context request) {
    JsonBody.answer(request, 200, JsonNodeFactory.instance.objectNode());
  }

  private HttpRequest.Builder write() {
    return request("/echo")
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("{}"));
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return post(path, BodyPublishers.ofString(body));
  }

  private HttpResponse<String> post(String path, BodyPublisher body) throws Exception {
    return send(request(path).header("Content-Type", "application/json; charset=utf-8").POST(body));
  }

  private HttpResponse<String> with(String token, HttpRequest.Builder request) throws Exception {
    return send(request.header("Authorization", "Bearer " + token));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private String raw(String request) throws IOException {
    return raw(request, 120);
  }

  private String raw(String request, int least) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readNBytes(least), StandardCharsets.UTF_8)
          + new String(in.readNBytes(in.available()), StandardCharsets.UTF_8);
    }
  }

  private static void assertProblem(HttpResponse<String> answer, int status, String code)
      throws IOException {
    assertEquals(status, answer.statusCode(), answer.body());
    assertEquals(
        Problem.MEDIA_TYPE,
        answer.headers().firstValue("Content-Type").orElse("").split(";", 2)[0]);
    JsonNode problem = JSON.readTree(answer.body());
    assertEquals(code, problem.path("code").asText());
    assertEquals(status, problem.path("status").asInt());
    assertFalse(problem.path("title").asText().isEmpty());
    assertFalse(problem.path("remedy").asText().isEmpty());
    assertFalse(answer.body().contains("secret"), answer.body());
  }
}
