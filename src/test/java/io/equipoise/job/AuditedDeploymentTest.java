package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.audit.AuditCommand;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** {@code equipoise audit verify} beside a job that runs, is killed, stops, and is lied about. */
class AuditedDeploymentTest {
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");

  @RegisterExtension static final TestCluster CLUSTER = TestCluster.withMortalTaskManagers();

  @TempDir private Path directory;

  private final StringWriter err = new StringWriter();

  @Test
  void whatTheJobWritesThroughACrashHoldsAndWhatIsForgedDoesNot() throws Exception {
    try (TestDeployment deployment =
        CLUSTER
            .deployment("audited")
            .withoutWaiting()
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
      deployment.send(
          deployment.topics.specs(), "no/spec", "no spec".getBytes(StandardCharsets.UTF_8));
      deployment.awaitDecisions(60);
      TestDeployment.await(deployment::deadLetters, letters -> letters.size() >= 5);
      assertHolds(verify(deployment, 0), 0);
      Instant fault = Instant.ofEpochMilli(System.currentTimeMillis());
      CLUSTER.replaceTaskManager();
      send(deployment, 60, start);
      assertHolds(verify(deployment, 0), 0); // in the middle of things
      deployment.drain("s0", "s1", "s2");
      job.stopWithSavepoint(directory);
      deployment.awaitCommitted();
      int written = deployment.topics.outputs().stream().mapToInt(t -> count(deployment, t)).sum();
      TestDeployment.await(() -> lines(seen), lines -> lines > written); // and a heading
      reader.interrupt();
      reader.join();
      JsonNode checked =
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
      assertHolds(checked, 123);
      assertEquals(123, checked.get("invariants").get(0).get("checked").asInt());
      assertEquals(123, checked.get("invariants").get(1).get("checked").asInt());
      assertEquals(9, checked.get("invariants").get(6).get("checked").asInt());
      assertEquals(1, checked.get("invariants").get(7).get("checked").asInt());
      assertEquals(written, checked.get("invariants").get(8).get("checked").asInt());

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

  @Tag("full")
  @Test
  void decisionsThatLeaveTheirFeaturesOffAreReplayedFromTheContexts() throws Exception {
    try (TestDeployment deployment =
        CLUSTER
            .deployment("featureless")
            .with("equipoise.privacy.features", "false")
            .publish(TestSpecs.dUcb())) {
      LocalJob job = deployment.start(2, null);
      send(deployment, 0, System.currentTimeMillis());
      List<Decision> decisions = deployment.awaitDecisions(60);
      deployment.drain("s0", "s1", "s2");
      job.stopWithSavepoint(directory);
      assertTrue(decisions.stream().anyMatch(Decision::lacksFeatures));
      assertTrue(decisions.stream().allMatch(decision -> decision.features() == null));
      assertHolds(verify(deployment, 0, "--final"), 60);
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void aLogWhoseBeginningIsGoneIsCheckedFromASavepoint(String backend) throws Exception {
    String spec = TestSpecs.dUcb() + "idle-state: {after: 3600s}\n";
    try (TestDeployment deployment =
        CLUSTER
            .deployment("cut-" + backend)
            .withoutWaiting()
            .with("state.backend.type", backend)
            .with("execution.checkpointing.storage", "filesystem")
            .with("execution.checkpointing.dir", directory.resolve("chk").toUri().toString())
            .with("execution.checkpointing.data-inline-threshold", "0 b") // state in files
            .publish(spec)) {
      long start = System.currentTimeMillis();
      LocalJob job = deployment.start(2, null);
      deployment.context("resting", "r", start - 7_200_000, PERSON);
      send(deployment, 0, start);
      deployment.context("s0", "open", start, PERSON);
      deployment.awaitDecisions(62);
      TestDeployment.await(
          deployment::segmentEvents,
          all ->
              all.stream()
                  .anyMatch(
                      segmentEvent -> segmentEvent.type() == SegmentEventType.SEGMENT_PASSIVATED));
      String savepoint = job.stopWithSavepoint(directory);
      try (Stream<Path> files = Files.list(Path.of(URI.create(savepoint)))) {
        assertTrue(files.count() > 1, "the savepoint has no file but its metadata");
      }
      Map<TopicPartition, RecordsToDelete> before = ends(deployment);
      LocalJob next = deployment.start(2, savepoint);
      deployment.reward("s0", "open", start + 1_000, 0.5, Map.of("M", "0"));
      send(deployment, 60, start);
      deployment.context("young", "y", start, PERSON);
      deployment.awaitDecisions(123);
      deployment.drain("s0", "s1", "s2");
      next.stopWithSavepoint(directory);
      assertHolds(verify(deployment, 0, "--final", "--from", savepoint), 61);

      try (Admin admin = Admin.create(deployment.config().kafka())) {
        admin.deleteRecords(before).all().get();
      }
      JsonNode gone = verify(deployment, 2, "--final");
      assertTrue(gone.toString().contains("--from"), gone.toPrettyString());
      JsonNode checked = verify(deployment, 0, "--final", "--from", savepoint);
      assertHolds(checked, 61);
      for (int invariant : List.of(2, 3, 4, 5)) {
        assertTrue(
            checked.get("invariants").get(invariant).get("checked").asInt() > 0,
            checked.toPrettyString());
      }

      List<ConsumerRecord<byte[], byte[]>> decisions =
          deployment.read(deployment.topics.decisions());
      ConsumerRecord<byte[], byte[]> last = decisions.get(decisions.size() - 1);
      deployment.send(
          new ProducerRecord<>(last.topic(), last.partition(), last.key(), last.value()));
      JsonNode forged = verify(deployment, 1, "--final", "--from", savepoint);
      assertEquals("VIOLATED", forged.get("invariants").get(0).get("verdict").asText());
      assertEquals("VIOLATED", forged.get("invariants").get(3).get("verdict").asText());
      assertOtherSavepointsAreRefused(deployment, savepoint);
    }
  }

  static List<String> backends() {
    return List.of("hashmap", "rocksdb").subList(0, Tier.count(1, 2));
  }

  private void assertOtherSavepointsAreRefused(TestDeployment deployment, String savepoint)
      throws Exception {
    try (TestDeployment other =
        CLUSTER.deployment("o" + deployment.topics.deployment()).publish(TestSpecs.ucb())) {
      assertEquals(2, execute(other, new StringWriter(), "--from", savepoint));
      assertTrue(err.toString().contains("is of a job that read [cut-"), err.toString());
    }
    assertEquals(2, execute(deployment, new StringWriter(), "--from", directory + "/nothing"));
    assertTrue(err.toString().contains("/nothing cannot be read"), err.toString());
    Path broken = Files.createDirectory(directory.resolve("broken"));
    Files.writeString(broken.resolve("_metadata"), "no metadata at all");
    assertEquals(2, execute(deployment, new StringWriter(), "--from", broken.toString()));
    assertTrue(err.toString().contains("/broken cannot be read"), err.toString());
  }

  /** Returns where all topics that can be cut end. */
  private static Map<TopicPartition, RecordsToDelete> ends(TestDeployment deployment) {
    Map<TopicPartition, RecordsToDelete> ends = new HashMap<>();
    List<String> topics = new ArrayList<>(deployment.topics.inputs());
    topics.addAll(deployment.topics.outputs());
    for (String topic : topics) {
      for (ConsumerRecord<byte[], byte[]> at : deployment.read(topic)) {
        ends.merge(
            new TopicPartition(topic, at.partition()),
            RecordsToDelete.beforeOffset(at.offset() + 1),
            (one, two) -> one.beforeOffset() > two.beforeOffset() ? one : two);
      }
    }
    return ends;
  }

  @Test
  void aDeploymentThatIsNotThereCannotBeChecked() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("nowhere")) {
      assertEquals(2, execute(deployment, new StringWriter()));
      assertTrue(err.toString().contains("topic nowhere."), err.toString());
    }
  }

  @Test
  void brokersThatAreNotReachedAreNamedByTheOptionToCorrect() {
    String[] nowhere = {
      "verify",
      "-D",
      "equipoise.deployment=any",
      "-D",
      "kafka.bootstrap.servers=127.0.0.1:1",
      "-D",
      "kafka.default.api.timeout.ms=2000",
      "-D",
      "kafka.request.timeout.ms=1000"
    };
    int code =
        new CommandLine(new AuditCommand()).setErr(new PrintWriter(err, true)).execute(nowhere);
    assertEquals(2, code);
    assertTrue(err.toString().contains("kafka.bootstrap.servers: "), err.toString());
    assertTrue(err.toString().contains("127.0.0.1:1"), err.toString());
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
    assertTrue(result.get("invariants").get(0).get("checked").asInt() >= contexts);
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
        List.of("observe", file.toString(), "--for", "300"));
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
