package io.equipoise.job.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** A schema registry in memory, on loopback, with the paths, answers and errors of Apicurio. */
public final class TestRegistry implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final List<String> schemas = new ArrayList<>();
  private final Map<String, List<String>> subjects = new TreeMap<>();

  /** How many of the next requests are answered with 503. */
  final AtomicInteger failures = new AtomicInteger();

  final AtomicInteger requests = new AtomicInteger();
  private volatile @Nullable String authorization;

  /** Answers every request, if it is set. */
  volatile @Nullable String canned;

  public TestRegistry() throws IOException {
    this(HttpServer.create());
  }

  private TestRegistry(HttpServer server) throws IOException {
    this.server = server;
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  static TestRegistry withTls(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create();
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return new TestRegistry(server);
  }

  public String url() {
    String scheme = server instanceof HttpsServer ? "https" : "http";
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Returns the header of the last request. */
  public @Nullable String authorization() {
    return authorization;
  }

  /** Registers a schema as a foreign program does; returns its id. */
  public synchronized int register(String subject, Schema schema) {
    return register(subject, schema.toString());
  }

  private int register(String subject, String schema) {
    if (!schemas.contains(schema)) {
      schemas.add(schema);
    }
    List<String> versions = subjects.computeIfAbsent(subject, any -> new ArrayList<>());
    if (!versions.contains(schema)) {
      versions.add(schema);
    }
    return schemas.indexOf(schema) + 1;
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    authorization = exchange.getRequestHeaders().getFirst("Authorization");
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String schema = body.isEmpty() ? "" : JSON.readTree(body).path("schema").asText();
    String fixed = canned;
    if (fixed != null) {
      send(exchange, 200, fixed.getBytes(StandardCharsets.UTF_8));
      return;
    }
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      send(exchange, 503, Map.of("error_code", 50301, "message", "no leader"));
      return;
    }
    String[] path = URI.create(exchange.getRequestURI().toString()).getPath().split("/", -1);
    List<String> versions = subjects.get(path[2]);
    if (path[1].equals("schemas")) {
      int id = Integer.parseInt(path[3]);
      boolean isKnown = id > 0 && id <= schemas.size();
      send(
          exchange,
          isKnown ? 200 : 404,
          isKnown
              ? Map.of("schema", schemas.get(id - 1))
              : Map.of("error_code", 40403, "message", "no schema " + id));
    } else if (exchange.getRequestMethod().equals("POST") && path.length == 4) {
      boolean isRefused = path[2].startsWith("incompatible");
      send(
          exchange,
          isRefused ? 409 : 200,
          isRefused
              ? Map.of("error_code", 409, "message", "READER_FIELD_MISSING_DEFAULT_VALUE")
              : Map.of("id", register(path[2], schema)));
    } else if (versions == null) {
      send(exchange, 404, Map.of("error_code", 40401, "message", "no subject " + path[2]));
    } else if (exchange.getRequestMethod().equals("POST")) {
      boolean isKnown = versions.contains(schema);
      send(
          exchange,
          isKnown ? 200 : 404,
          isKnown
              ? Map.of("id", schemas.indexOf(schema) + 1)
              : Map.of("error_code", 40403, "message", "no such schema under " + path[2]));
    } else if (path.length == 4) {
      send(exchange, 200, IntStream.rangeClosed(1, versions.size()).toArray());
    } else {
      String found = versions.get(Integer.parseInt(path[4]) - 1);
      send(exchange, 200, Map.of("id", schemas.indexOf(found) + 1, "schema", found));
    }
  }

  private static void send(HttpExchange exchange, int status, Object body) throws IOException {
    send(exchange, status, JSON.writeValueAsBytes(body));
  }

  private static void send(HttpExchange exchange, int status, byte[] bytes) throws IOException {
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
