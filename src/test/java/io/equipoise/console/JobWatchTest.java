package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.sun.net.httpserver.HttpServer;
import io.equipoise.console.topics.JobWatch;
import io.equipoise.console.topics.JobWatch.JobReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions to a server that answers as Flink does. */
class JobWatchTest {
  private static final String METRICS = "/jobs/j/vertices/v/subtasks/metrics";

  private final Map<String, String> answers = new HashMap<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String answer = answers.getOrDefault(exchange.getRequestURI().toString(), "{}");
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    answers.put(
        "/jobs/overview",
        "{\"jobs\": [{\"jid\": \"j\", \"name\": \"equipoise shop\", \"state\": \"RUNNING\"}]}");
    answers.put("/jobs/j", "{\"vertices\": [{\"id\": \"v\"}]}");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void thePartitionsWhoseEventTimeIsBehindTheOthersAreNamed() {
    lags("contexts", 6_000, 5_001, 900_000, 15_001);
    assertNull(state().error());
    assertEquals(
        "Windows wait for partitions 2 of contexts, which have a backlog or cannot be read.",
        state().windowsWaitFor());
    lags("rewards", 1_800_000, 5_000, 1_800_000, 1_800_000);
    assertEquals(
        "Windows wait for partitions 0, 2, 3 of rewards, which have a backlog or cannot be read.",
        state().windowsWaitFor());
  }

  @Test
  void nothingIsNamedWhileAllPartitionsAreEquallyFar() {
    assertNull(state().windowsWaitFor(), "the metrics are not there yet");
    lags("contexts", 1_800_000, 1_800_000, 1_808_000, 1_800_000);
    assertNull(state().windowsWaitFor());
  }

  private JobReport state() {
    return new JobWatch(URI.create("http://localhost:" + server.getAddress().getPort()), "shop")
        .state();
  }

  private void lags(String topic, long... lags) {
    StringBuilder names = new StringBuilder("{\"id\": \"0.numRecordsIn\"}");
    StringBuilder asked = new StringBuilder();
    StringBuilder values = new StringBuilder();
    for (int partition = 0; partition < lags.length; partition++) {
      String name =
          "Source__%1$s.topic.shop_%1$s.partition.%2$d.eventTimeLag".formatted(topic, partition);
      names.append(", {\"id\": \"").append(name).append("\"}");
      asked.append(partition == 0 ? "" : ",").append(name);
      values
          .append(partition == 0 ? "" : ", ")
          .append("{\"id\": \"%s\", \"max\": %d.0}".formatted(name, lags[partition]));
    }
    answers.put(METRICS, "[" + names + "]");
    answers.put(METRICS + "?get=" + asked, "[" + values + "]");
  }
}
