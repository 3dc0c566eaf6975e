package io.equipoise.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.equipoise.tools.cluster.FlinkRest.LastCheckpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions to a server that answers as a job manager does. */
class FlinkRestTest {
  private static final String NEVER = "{\"latest\": {\"completed\": null, \"restored\": null}}";

  private final Map<String, String> answers = new HashMap<>();
  private HttpServer server;
  private FlinkRest rest;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String answer = answers.get(exchange.getRequestURI().getPath());
          byte[] body = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    rest = new FlinkRest(server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static String latest(String completed, String restored) {
    return "{\"latest\": {\"completed\": " + completed + ", \"restored\": " + restored + "}}";
  }

  private boolean hasProgressed(String answer) {
    answers.put("/jobs/j/checkpoints", answer);
    return rest.hasProgressed("j");
  }

  @Test
  void aJobProgressesWithACheckpointNewerThanWhatItWasRestoredFrom() {
    assertFalse(rest.hasProgressed("j"), "nobody knows the job");
    assertFalse(hasProgressed(NEVER));
    assertTrue(hasProgressed(latest("{\"id\": 1}", "null")));
    assertFalse(hasProgressed(latest("{\"id\": 7}", "{\"id\": 7}")));
    assertFalse(hasProgressed(latest("null", "{\"id\": 7}")));
    assertTrue(hasProgressed(latest("{\"id\": 8}", "{\"id\": 7}")));
  }

  @Test
  void theNextJobManagerIsAskedIfOneDoesNotReply() {
    int port = server.getAddress().getPort();
    rest = new FlinkRest(List.of("127.0.0.2", "127.0.0.1"), port);
    assertFalse(rest.answers());
    answers.put("/jobs/overview", "{}");
    assertTrue(rest.answers());
    assertFalse(new FlinkRest(List.of("127.0.0.2"), port).answers());
  }

  @Test
  void theOldestJobThatHasNotEndedIsTheJob() {
    assertTrue(rest.job().isEmpty());
    assertFalse(rest.answers());
    answers.put(
        "/jobs/overview",
        "{\"jobs\": [{\"jid\": \"c\", \"state\": \"RUNNING\", \"start-time\": 30},"
            + " {\"jid\": \"a\", \"state\": \"FAILED\", \"start-time\": 10},"
            + " {\"jid\": \"b\", \"state\": \"RESTARTING\", \"start-time\": 20}]}");
    assertTrue(rest.answers());
    assertEquals(2, rest.jobs().size());
    assertEquals("b", rest.job().orElseThrow().id());
  }

  @Test
  void whyAJobFailedForGoodIsToldWithoutTheStackAndNotOfOlderJobs() {
    assertTrue(rest.failure(0).isEmpty());
    answers.put(
        "/jobs/overview",
        "{\"jobs\": [{\"jid\": \"a\", \"state\": \"FAILED\", \"start-time\": 10},"
            + " {\"jid\": \"b\", \"state\": \"RUNNING\", \"start-time\": 20}]}");
    answers.put(
        "/jobs/a/exceptions",
        "{\"exceptionHistory\": {\"entries\": [{\"stacktrace\":"
            + " \"x.Job: No recovery\\n\\tat x.A.b(A.java:1)\\nCaused by: x.Refused: The start is"
            + " refused:\\n  so it is\\n\\tat x.Y.z(Y.java:1)\\n\\t... 9 more\\n\"}]}}");
    assertEquals("x.Refused: The start is refused:\n  so it is", rest.failure(10).orElseThrow());
    assertTrue(rest.failure(11).isEmpty());
  }

  @Test
  void theNewestCheckpointIsReadWithWhatItCost() {
    answers.put("/jobs/j/checkpoints", NEVER);
    assertTrue(rest.lastCheckpoint("j").isEmpty());
    String completed =
        "{\"id\": 8, \"latest_ack_timestamp\": 1000, \"end_to_end_duration\": 50,"
            + " \"state_size\": 4096, \"external_path\": \"file:/c/chk-8\"}";
    answers.put("/jobs/j/checkpoints", latest(completed, "null"));
    assertEquals(
        new LastCheckpoint(8, 1000, 50, 4096, "file:/c/chk-8"),
        rest.lastCheckpoint("j").orElseThrow());
  }
}
