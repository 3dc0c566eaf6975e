package io.equipoise.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.remote.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a schema registry by Confluent's REST interface, which Apicurio and others have too. Asks
 * the next URL if one is unreachable or responds with an error of its own. The HTTP client is
 * created at the first request and kept. Thread-safe.
 */
public final class SchemaRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaRegistry.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int WARN_EVERY = 20;
  private static final int SUBJECT_NOT_FOUND = 40401;
  private static final int SCHEMA_NOT_FOUND = 40403;
  private static final int CLIENT_ERROR = 400;
  private static final int CONFLICT = 409;
  private static final int INVALID = 422;
  private static final int MOST_CHARS = 500;
  private static final int MOST_MEBIBYTES = 16;

  private final List<String> urls = new ArrayList<>();
  private final @Nullable String authorization;
  private final IntFunction<@Nullable String> known;
  private final Supplier<SSLContext> tls;
  private @Nullable HttpClient http;

  /** Reports that the registry rejected a request. */
  public static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int code;

    private RefusedException(int code, String message) {
      super(message);
      this.code = code;
    }
  }

  /**
   * Connects nowhere yet, and starts no thread.
   *
   * @param url one, or several separated by commas
   * @param user name and password with a colon between them, for basic authentication; or null
   * @param token bearer token, which goes before the user; or null
   * @param known returns the texts of schemas that need not be asked for, by id; null for others
   * @param tls is asked when the first request is sent
   * @throws IllegalArgumentException if a URL contains a user; messages name URLs
   */
  public SchemaRegistry(
      String url,
      @Nullable String user,
      @Nullable String token,
      IntFunction<@Nullable String> known,
      Supplier<SSLContext> tls) {
    this.known = known;
    this.tls = tls;
    for (String each : url.split(",", -1)) {
      if (each.contains("@")) {
        throw new IllegalArgumentException(
            "the URL of a schema registry contains a user; give user and password by themselves");
      }
      urls.add(each.trim().replaceAll("/+$", ""));
    }
    byte[] bytes = String.valueOf(user).getBytes(StandardCharsets.UTF_8);
    authorization =
        token != null
            ? "Bearer " + token
            : user != null ? "Basic " + Base64.getEncoder().encodeToString(bytes) : null;
  }

  private synchronized HttpClient http() {
    if (http == null) {
      http =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(TIMEOUT)
              .sslContext(tls.get())
              .build();
    }
    return http;
  }

  /** Registers a schema and returns its id; the same schema again has the same id. */
  public int register(String subject, Schema schema) throws IOException {
    return number(ask("POST", subject(subject) + "/versions", body(schema)).path("id"));
  }

  /** Returns the id of a registered schema. */
  public int find(String subject, Schema schema) throws IOException {
    return number(ask("POST", subject(subject), body(schema)).path("id"));
  }

  /** Returns the texts of all schemas of a subject by id; none if there is no such subject. */
  public Map<Integer, String> versions(String subject) throws IOException {
    Map<Integer, String> found = new TreeMap<>();
    try {
      for (JsonNode version : ask("GET", subject(subject) + "/versions", null)) {
        JsonNode answer = ask("GET", subject(subject) + "/versions/" + number(version), null);
        found.put(number(answer.path("id")), text(answer));
      }
    } catch (RefusedException e) {
      if (e.code != SUBJECT_NOT_FOUND) {
        throw e;
      }
    }
    return found;
  }

  /**
   * Returns the schema of an id, or null if the registry has no Avro schema of this id. Asks only
   * if it is not known, and waits as long as no URL gives an answer: what is read again after a
   * failure must be read the same way.
   */
  public @Nullable Schema schema(int id) {
    return schema(id, Duration.ofSeconds(Long.MAX_VALUE), IllegalStateException::new);
  }

  /**
   * Returns the schema of an id, or null if the registry has no Avro schema of this id.
   *
   * @param patience how long to wait for an answer
   * @param gaveUp makes the exception that is thrown then of a message
   */
  public @Nullable Schema schema(
      int id, Duration patience, Function<String, ? extends RuntimeException> gaveUp) {
    String text = known.apply(id);
    if (text != null) {
      return parse(text);
    }
    long start = System.nanoTime();
    for (int tries = 0; ; tries++) {
      String failure;
      try {
        return parse(text(ask("GET", "/schemas/ids/" + id, null)));
      } catch (RefusedException e) {
        if (e.code == SCHEMA_NOT_FOUND) {
          return null;
        }
        failure = e.getMessage();
      } catch (IOException e) {
        failure = e.getMessage();
      }
      if (patience.compareTo(Duration.ofNanos(System.nanoTime() - start)) < 0) {
        throw gaveUp.apply(
            "the schema registry at schema.registry.url did not return the schema of id %d within %d s: %s"
                .formatted(id, patience.toSeconds(), failure));
      }
      if (tries % WARN_EVERY == 0) {
        LOG.warn(
            "A record with schema id {} waits for the schema registry. Check"
                + " schema.registry.url: {}",
            id,
            failure);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while schema id " + id + " was asked for");
      }
    }
  }

  /** Returns an id or a version: four bytes of every record. */
  private static int number(JsonNode answered) throws IOException {
    if (!answered.isInt() || answered.intValue() < 0) {
      throw new IOException(
          "the schema registry answers without an id or version from 0 to 2147483647: "
              + (answered.isMissingNode() ? "none" : brief(answered.toString())));
    }
    return answered.intValue();
  }

  private static String text(JsonNode answer) throws IOException {
    if (!answer.path("schema").isTextual()) {
      throw new IOException("the schema registry answers without the text of a schema");
    }
    return answer.path("schema").textValue();
  }

  private static @Nullable Schema parse(String text) {
    try {
      return new Schema.Parser().parse(text);
    } catch (SchemaParseException e) {
      return null;
    }
  }

  private static String subject(String name) {
    return "/subjects/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  private static String body(Schema schema) {
    return JSON.createObjectNode().put("schema", schema.toString()).toString();
  }

  private JsonNode ask(String method, String path, @Nullable String body) throws IOException {
    List<String> failures = new ArrayList<>();
    for (String url : urls) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url + path))
              .header("Accept", MEDIA_TYPE)
              .header("Content-Type", MEDIA_TYPE)
              .method(
                  method,
                  body == null
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofString(body));
      if (authorization != null) {
        request.header("Authorization", authorization);
      }
      try {
        HttpResponse<byte[]> answer =
            WholeAnswer.of(http(), request.build(), TIMEOUT, MOST_MEBIBYTES);
        if (answer.statusCode() < CLIENT_ERROR) {
          return JSON.readTree(answer.body());
        }
        failures.add(
            url
                + " answers "
                + answer.statusCode()
                + ": "
                + brief(new String(answer.body(), StandardCharsets.UTF_8)));
        int code = code(answer);
        if (code != 0) {
          throw new RefusedException(code, failures.get(failures.size() - 1));
        }
      } catch (JsonProcessingException e) {
        failures.add(url + " answers something other than JSON: is it a schema registry?");
      } catch (HttpTimeoutException e) {
        failures.add("%s gives no whole answer within %d s".formatted(url, TIMEOUT.toSeconds()));
      } catch (IOException e) {
        failures.add(url + " cannot be reached: " + WholeAnswer.words(e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while " + url + " was asked", e);
      }
    }
    throw new IOException(String.join("; ", failures));
  }

  /** Returns the code of a refusal by the registry itself, or 0 for any other error. */
  private static int code(HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    if (status == CONFLICT || status == INVALID) {
      return status;
    }
    try {
      int code = JSON.readTree(answer.body()).path("error_code").asInt();
      return code == SUBJECT_NOT_FOUND || code == SCHEMA_NOT_FOUND ? code : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  private static String brief(String text) {
    return text.substring(0, Math.min(text.length(), MOST_CHARS));
  }
}
