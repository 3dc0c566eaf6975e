package io.equipoise.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.tools.LoopbackPorts;
import io.equipoise.tools.cluster.Waiting;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes a cluster whose reporter is switched on. Needs Debian's package
 * prometheus.
 */
@Tag("foreign")
class PrometheusIT {
  private static final Path PACKAGE = Path.of("target", "equipoise").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path LINUCB = Path.of("src/lab/resources/bench/email-linucb.yaml");
  private static final List<String> SEGMENTS = List.of("email-f-ucb", "email-linucb");
  private static final String MANY_SERIES =
      "scrape_samples_scraped{job=\"equipoise-flink\"} >= 400";

  /** Pending or firing. */
  private static final String JOB_GONE = "ALERTS{alertname=\"EquipoiseJobGone\"}";

  @TempDir private Path directory;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Process prometheus;
  private Path equipoise;

  @AfterEach
  void end() throws Exception {
    if (prometheus != null) {
      prometheus.destroy();
      prometheus.waitFor();
    }
    if (equipoise != null) {
      run(
          equipoise.toString(),
          "cluster",
          "down",
          "--no-savepoint",
          "--dir",
          directory.resolve("cluster").toString());
    }
  }

  @Test
  void everyQueryOfADashboardHasASeries() throws Exception {
    packageWithReporter();
    JsonNode status = up();
    play(status);
    int port = LoopbackPorts.next();
    scrape(status, port);
    Set<String> silent =
        Dashboards.ALL.stream()
            .flatMap(dashboard -> dashboard.panels().stream())
            .flatMap(panel -> panel.queries().stream())
            .map(Dashboards.Query::expression)
            .collect(Collectors.toCollection(TreeSet::new));
    Waiting.until(
        () -> {
          silent.removeIf(expression -> !series(port, expression).isEmpty());
          return silent.isEmpty();
        },
        PATIENCE);
    assertEquals(Set.of(), silent, "expressions without a series");
    assertEquals(3, series(port, "up{job=\"equipoise-flink\"} == 1").size());
    assertEquals("[]", series(port, MANY_SERIES).toString(), "processes with many series");
    assertEquals("[]", series(port, JOB_GONE).toString());
    cancel("http://127.0.0.1:" + port(status, "jobmanager", "rest"));
    Waiting.until(() -> !series(port, JOB_GONE).isEmpty(), PATIENCE);
    assertEquals(3, series(port, "up{job=\"equipoise-flink\"} == 1").size(), "Flink lives");
  }

  private void cancel(String rest) throws Exception {
    HttpRequest jobs = HttpRequest.newBuilder(URI.create(rest + "/jobs")).build();
    String answer = http.send(jobs, HttpResponse.BodyHandlers.ofString()).body();
    String job = JSON.readTree(answer).at("/jobs/0/id").asText();
    HttpRequest cancel =
        HttpRequest.newBuilder(URI.create(rest + "/jobs/" + job + "?mode=cancel"))
            .method("PATCH", HttpRequest.BodyPublishers.noBody())
            .build();
    assertEquals(202, http.send(cancel, HttpResponse.BodyHandlers.discarding()).statusCode());
  }

  /** The distribution with the lines of conf/config.yaml that switch the reporter on. */
  private void packageWithReporter() throws IOException {
    Path home = Files.createDirectories(directory.resolve("equipoise"));
    for (String part : new String[] {"lib", "job", "avro"}) {
      Files.createSymbolicLink(home.resolve(part), PACKAGE.resolve(part));
    }
    for (String part : new String[] {"bin", "conf"}) {
      try (Stream<Path> files = Files.walk(PACKAGE.resolve(part))) {
        for (Path file : files.toList()) {
          Files.copy(file, home.resolve(PACKAGE.relativize(file).toString()));
        }
      }
    }
    Path config = home.resolve("conf/config.yaml");
    String text = Files.readString(config);
    int block = text.indexOf("# metrics:\n");
    Files.writeString(
        config, text.substring(0, block) + text.substring(block).replaceAll("(?m)^# ", ""));
    Path specs = home.resolve("conf/specs");
    Files.copy(LINUCB, specs.resolve("email-linucb.yaml"));
    for (String name : SEGMENTS) {
      Path spec = specs.resolve(name + ".yaml");
      Files.writeString(
          spec, Files.readString(spec).replace("metrics: {every: 1000}", "metrics: {every: 5}"));
    }
    equipoise = home.resolve("bin/equipoise");
  }

  private JsonNode up() throws Exception {
    String cluster = directory.resolve("cluster").toString();
    run(
        equipoise.toString(),
        "cluster",
        "up",
        "--dir",
        cluster,
        "-D",
        "console.metrics-segments=20");
    return JSON.readTree(
        run(equipoise.toString(), "cluster", "status", "--dir", cluster, "--json", "-"));
  }

  /** Sends contexts, rewards, a request that is refused and a record that is. */
  private void play(JsonNode status) throws Exception {
    String gateway = "http://127.0.0.1:" + port(status, "gateway", "http");
    for (int i = 0; i < 60; i++) {
      String id = "d" + i;
      String segment = SEGMENTS.get(i % SEGMENTS.size());
      post(
          gateway + "/v1/decisions",
          ("{\"decisionId\": \"%s\", \"segment\": \"%s\", \"attributes\":"
                  + " {\"X1\": \"%s\", \"X2\": \"18-29\", \"X3\": \"technical\"}}")
              .formatted(id, segment, i % 4 < 2 ? "female" : "male"));
      post(
          gateway + "/v1/rewards",
          ("{\"decisionId\": \"%s\", \"segment\": \"%s\", \"value\": 1, \"mediators\":"
                  + " {\"I4\": \"query-1\", \"I1\": \"0\", \"I2\": \"0\", \"I3\": \"0\"}}")
              .formatted(id, segment));
    }
    send(gateway + "/v1/decisions", "{}"); // a problem
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", status.path("bootstrapServers").asText()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>("demo.contexts", new byte[] {1})).get();
    }
  }

  private HttpResponse<String> send(String url, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private void post(String url, String body) throws Exception {
    HttpResponse<String> answer = send(url, body);
    assertTrue(answer.statusCode() < 300, answer::body);
  }

  /** Starts Prometheus with the shipped file, whose targets are those of the cluster. */
  private void scrape(JsonNode status, int port) throws Exception {
    List<String> flink = new ArrayList<>();
    for (int candidate = 9249; candidate <= 9260; candidate++) {
      flink.add("\"127.0.0.1:" + candidate + "\"");
    }
    String shipped = Files.readString(MonitoringTest.DIRECTORY.resolve("prometheus.yml"));
    Path file =
        Files.writeString(
            directory.resolve("prometheus.yml"),
            shipped
                .replace("15s", "1s")
                .replace(
                    "- rules.yml", "- " + MonitoringTest.DIRECTORY.toAbsolutePath() + "/rules.yml")
                .replace("\"127.0.0.1:9249\", \"127.0.0.1:9250\"", String.join(", ", flink))
                .replace("127.0.0.1:8080", "127.0.0.1:" + port(status, "gateway", "http"))
                .replace("127.0.0.1:8090", "127.0.0.1:" + port(status, "console", "http")));
    prometheus =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + file,
                "--storage.tsdb.path=" + directory.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("prometheus.log").toFile())
            .start();
  }

  private JsonNode series(int port, String expression) {
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + port + "/api/v1/query?query=" + query))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      JsonNode json = JSON.readTree(answer.body());
      assertEquals("success", json.path("status").asText(), expression);
      return json.at("/data/result");
    } catch (IOException e) {
      assertTrue(prometheus.isAlive(), () -> "Prometheus ended: " + directory);
      return JSON.createArrayNode(); // it starts
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int port(JsonNode status, String process, String name) {
    for (JsonNode each : status.path("processes")) {
      if (each.path("name").asText().equals(process)) {
        return each.path("ports").path(name).asInt();
      }
    }
    throw new AssertionError(status.toString());
  }

  private String run(String... command) throws Exception {
    Path out = Files.createTempFile(directory, "out", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("err.txt").toFile()))
            .start();
    if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroy();
      throw new AssertionError(List.of(command) + " does not end");
    }
    String text = Files.readString(out);
    assertEquals(0, process.exitValue(), () -> text + errors());
    return text;
  }

  private String errors() {
    try {
      return Files.readString(directory.resolve("err.txt"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
