package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.audit.AuditCommand;
import io.equipoise.join.TestSpecs;
import io.equipoise.local.LocalJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code equipoise audit verify} beside a job that runs, is killed, stops, and is lied about. */
class AuditedDeploymentTest {
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @TempDir private Path directory;

  private final StringWriter err = new StringWriter();

  @Test
  void whatTheJobWritesThroughACrashHoldsAndWhatIsForgedDoesNot() throws Exception {
    try (TestDeployment deployment =
        CLUSTER
            .deployment("audited")
            .with("restart-strategy.type", "fixed-delay")
            .with("restart-strategy.fixed-delay.attempts", "10")
            .with("restart-strategy.fixed-delay.delay", "100 ms")
            .publish(TestSpecs.dUcb())) {
      LocalJob job = deployment.start(2, null);
      long start = System.currentTimeMillis();
      Path seen = directory.resolve("seen.tsv");
      Thread reader = new Thread(() -> witness(deployment, seen));
      reader.start();
      TestDeployment.await(() -> Files.exists(seen), isThere -> isThere);
      send(deployment, 0, start);
      deployment.awaitDecisions(60);
      assertHolds(verify(deployment, 0), 0);
      Instant fault = Instant.ofEpochMilli(System.currentTimeMillis());
      CLUSTER.flink().replaceTaskManager();
      send(deployment, 60, start);
      assertHolds(verify(deployment, 0), 0); // in the middle of things
      deployment.awaitDecisions(120);
      job.stopWithSavepoint(directory);
      int written = deployment.topics.outputs().stream().mapToInt(t -> count(deployment, t)).sum();
      TestDeployment.await(() -> lines(seen), lines -> lines > written); // and a heading
      reader.interrupt();
      reader.join();
      JsonNode judged =
          verify(
              deployment,
              0,
              "--final",
              "--witness",
              seen.toString(),
              "--fault",
              fault.toString(),
              "--recovery",
              "60");
      assertHolds(judged, 120);
      assertEquals(120, judged.get("invariants").get(0).get("judged").asInt());
      assertEquals(120, judged.get("invariants").get(1).get("judged").asInt());
      assertEquals(8, judged.get("invariants").get(6).get("judged").asInt());
      assertEquals(1, judged.get("invariants").get(7).get("judged").asInt());
      assertEquals(written, judged.get("invariants").get(8).get("judged").asInt());

      ConsumerRecord<byte[], byte[]> decision =
          deployment.read(deployment.topics.decisions()).get(30);
      deployment.send(
          new ProducerRecord<>(
              decision.topic(), decision.partition(), decision.key(), decision.value()));
      JsonNode forged = verify(deployment, 1, "--final");
      assertEquals("VIOLATED", forged.get("invariants").get(0).get("verdict").asText());
      assertEquals("VIOLATED", forged.get("invariants").get(3).get("verdict").asText());
      assertEquals("OK", forged.get("invariants").get(2).get("verdict").asText());
    }
  }

  @Test
  void aDeploymentThatIsNotThereCannotBeJudged() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("nowhere")) {
      assertEquals(2, execute(deployment, new StringWriter()));
      assertTrue(err.toString().contains("there is no topic nowhere."), err.toString());
    }
  }

  private static void send(TestDeployment deployment, int first, long time) {
    for (int i = first; i < first + 60; i++) {
      deployment.context("s" + i % 3, "d" + i, time + i, PERSON);
      deployment.reward("s" + i % 3, "d" + i, time + i, 0.25, Map.of("M", "1"));
      if (i % 30 == 0) {
        byte[] bad = "not a record".getBytes(StandardCharsets.UTF_8);
        deployment.send(deployment.topics.contexts(), "s0", bad);
        deployment.send(deployment.topics.rewards(), "s1", bad);
      }
    }
  }

  private static void assertHolds(JsonNode result, int contexts) {
    assertEquals("OK", result.get("verdict").asText(), result.toPrettyString());
    assertTrue(result.get("invariants").get(0).get("judged").asInt() >= contexts);
  }

  private JsonNode verify(TestDeployment deployment, int exitCode, String... options)
      throws Exception {
    StringWriter out = new StringWriter();
    int code = execute(deployment, out, options);
    assertEquals(exitCode, code, out + "\n" + err);
    return new ObjectMapper().readTree(out.toString());
  }

  private static void witness(TestDeployment deployment, Path file) {
    execute(
        deployment,
        new StringWriter(),
        new StringWriter(),
        List.of("witness", file.toString(), "--for", "300"));
  }

  private static int count(TestDeployment deployment, String topic) {
    return deployment.read(topic).size();
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int execute(TestDeployment deployment, StringWriter out, String... options) {
    List<String> arguments = new ArrayList<>(List.of("verify", "--json", "-"));
    arguments.addAll(List.of(options));
    return execute(deployment, out, err, arguments);
  }

  private static int execute(
      TestDeployment deployment, StringWriter out, StringWriter err, List<String> verb) {
    List<String> arguments = new ArrayList<>(verb);
    arguments.addAll(List.of("-D", "equipoise.deployment=" + deployment.topics.deployment()));
    String brokers = deployment.config().kafka().getProperty("bootstrap.servers");
    arguments.addAll(List.of("-D", "kafka.bootstrap.servers=" + brokers));
    return new CommandLine(new AuditCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(new String[0]));
  }
}
