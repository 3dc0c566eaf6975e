package io.equipoise.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.job.TestCluster;
import io.equipoise.job.options.StartRefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Order(1)
class LocalRunTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String CONTEXTS = "run-test.contexts";
  private static final String DECISIONS = "run-test.decisions";
  private static final String SEGMENT = "email-f-ucb";

  /** The spec that the tests ask for and what it reads: a start reads all specs several times. */
  @TempDir private static Path specs;

  @TempDir private Path state;

  private static EmbeddedBroker broker;

  @BeforeAll
  static void startBroker() throws IOException {
    broker = TestCluster.broker();
    for (String name : List.of(SEGMENT + ".yaml", "email-campaign.bif")) {
      Files.copy(Path.of("flink-conf", "specs", name), specs.resolve(name));
    }
  }

  @Tag("full")
  @Test
  void aRunAnswersContextsAndGoesOnFromItsSavepoint() throws Exception {
    String savepoint;
    try (LocalRun run = LocalRun.start(settings(), null, state)) {
      send(CONTEXTS, "first");
      assertEquals(List.of("first"), idsOf(awaitDecisions(DECISIONS, 1)));
      assertFalse(run.hasEnded());
      savepoint = run.stopWithSavepoint();
    }
    try (LocalRun run = LocalRun.start(settings(), savepoint, state)) {
      send(CONTEXTS, "first");
      send(CONTEXTS, "second");
      List<Decision> all = awaitDecisions(DECISIONS, 3);
      assertEquals(List.of("first", "first", "second"), idsOf(all));
      assertEquals(1, all.stream().filter(Decision::isRepeated).count());
      assertEquals(List.of(0L, 2L, 3L), all.stream().map(Decision::seq).sorted().toList());
      assertFalse(run.hasEnded());
    }
  }

  /** As docs/backup.md says. */
  @Test
  void copiesOfBrokerAndSavepointGoOnElsewhereAndAnOlderCopyOfTheBrokerIsRefused(
      @TempDir Path directory) throws Exception {
    Path first = directory.resolve("first");
    Path copy = directory.resolve("copy");
    String savepoint;
    try (EmbeddedBroker own = EmbeddedBroker.start(first);
        LocalRun run = LocalRun.start(settings(own), null, state)) {
      send(own, CONTEXTS, "first");
      assertEquals(List.of("first"), idsOf(awaitDecisions(own, DECISIONS, 1)));
      savepoint = run.stopWithSavepoint();
    }
    copy(first, copy);
    Path kept = directory.resolve("kept");
    copy(Path.of(URI.create(savepoint)), kept);
    String last;
    try (EmbeddedBroker other = EmbeddedBroker.start(copy);
        LocalRun run = LocalRun.start(settings(other), kept.toUri().toString(), state)) {
      send(other, CONTEXTS, "second");
      List<Decision> all = awaitDecisions(other, DECISIONS, 2);
      assertEquals(List.of("first", "second"), idsOf(all));
      assertEquals(all.get(0).seq() + 1, all.get(1).seq());
      last = run.stopWithSavepoint();
    }
    try (EmbeddedBroker old = EmbeddedBroker.start(first)) {
      String refused =
          assertThrows(
                  StartRefusedException.class,
                  () -> LocalRun.start(settings(old), last, state).close())
              .getMessage();
      assertTrue(refused.contains(CONTEXTS), refused);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one : all.toList()) {
        Files.copy(one, to.resolve(from.relativize(one).toString()));
      }
    }
  }

  /** Here the directory for savepoints is a file; brokers that are silent have the same effect. */
  @Test
  void aFailedStopKeepsTheLastCheckpointAndARunGoesOnFromIt() throws Exception {
    Configuration settings = settings();
    settings.setString("equipoise.deployment", "unsaved");
    Path file = Files.writeString(state.resolve("file"), "not a directory");
    settings.setString("execution.checkpointing.savepoint-dir", file.toUri().toString());
    String checkpoint;
    try (LocalRun run = LocalRun.start(settings, null, state)) {
      send("unsaved.contexts", "first");
      assertEquals(List.of("first"), idsOf(awaitDecisions("unsaved.decisions", 1)));
      var err = new StringWriter();
      var command = new RunCommand();
      new CommandLine(command).setErr(new PrintWriter(err, true));
      assertEquals(1, command.watch(run, () -> true));
      checkpoint = run.cancel().orElseThrow();
      assertTrue(err.toString().contains("did not stop with a savepoint"), err.toString());
      assertTrue(err.toString().contains("equipoise run --from " + checkpoint), err.toString());
    }
    String refused =
        assertThrows(
                StartRefusedException.class,
                () -> LocalRun.start(settings, checkpoint + "0", state).close())
            .getMessage();
    assertTrue(refused.contains("cannot continue from '" + checkpoint + "0'"), refused);
    try (LocalRun run = LocalRun.start(settings, checkpoint, state)) {
      send("unsaved.contexts", "first");
      List<Decision> all = awaitDecisions("unsaved.decisions", 2);
      assertEquals(1, all.stream().filter(Decision::isRepeated).count());
      assertFalse(run.hasEnded());
    }
  }

  @Test
  void aRunWithoutATaskManagerEndsAndNamesTheLastCheckpoint() throws Exception {
    Configuration settings = settings();
    settings.setString("equipoise.deployment", "alone");
    settings.setString("restart-strategy.type", "fixed-delay");
    settings.setString("restart-strategy.fixed-delay.attempts", "1000");
    try (LocalRun run = LocalRun.start(settings, null, state)) {
      send("alone.contexts", "first");
      assertEquals(List.of("first"), idsOf(awaitDecisions("alone.decisions", 1)));
      assertFalse(run.hasLostTaskManager());
      run.endTaskManager();
      var err = new StringWriter();
      var command = new RunCommand();
      new CommandLine(command).setErr(new PrintWriter(err, true));
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      assertEquals(1, command.watch(run, () -> System.nanoTime() > deadline));
      assertTrue(err.toString().contains("no task manager is left"), err.toString());
      assertTrue(
          err.toString().contains("equipoise run --from " + run.cancel().orElseThrow()),
          err.toString());
    }
  }

  @Test
  void aRunWithAStateAndWithoutADirectoryForTheNextIsRefused() {
    var err = new StringWriter();
    int exitCode =
        new CommandLine(new RunCommand())
            .setErr(new PrintWriter(err, true))
            .execute(
                "--from=savepoint",
                "-D",
                "equipoise.deployment=placeless",
                "-D",
                "kafka.bootstrap.servers=" + broker.bootstrapServers());
    assertEquals(1, exitCode);
    assertTrue(err.toString().contains("deployment placeless has a history"), err.toString());
    assertTrue(err.toString().contains("--savepoint-dir"), err.toString());
  }

  @Test
  void aRunThatWouldForgetThePastIsRefusedBeforeAnythingIsDone() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic("past.decisions", 1, (short) 1))).all().get();
      send("past.decisions", "past");
      Configuration settings = settings();
      settings.setString("equipoise.deployment", "past");
      String refused =
          assertThrows(
                  StartRefusedException.class, () -> LocalRun.start(settings, null, state).close())
              .getMessage();
      assertTrue(refused.contains("past.decisions, partition 0, offset 0"), refused);
      assertTrue(refused.contains("equipoise run --from"), refused);
      Set<String> topics = admin.listTopics().names().get();
      assertFalse(topics.contains("past.specs"), topics.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%d", "%d-1"})
  void aRunThatCannotHaveItsRestPortIsRefused(String ports) throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Configuration settings = settings();
      settings.setString("equipoise.deployment", "portless");
      settings.setString("rest.bind-port", ports.formatted(taken.getLocalPort()));
      String refused =
          assertThrows(
                  StartRefusedException.class, () -> LocalRun.start(settings, null, state).close())
              .getMessage();
      assertTrue(refused.contains("rest.bind-port"), refused);
      assertTrue(refused.contains(String.valueOf(taken.getLocalPort())), refused);
    }
  }

  @Test
  void faultsOfTheConfigurationAreToldTogetherAndExitWithOne() {
    var err = new StringWriter();
    int exitCode =
        new CommandLine(new RunCommand())
            .setErr(new PrintWriter(err, true))
            .execute("-D", "equipoise.partitions=0");
    assertEquals(1, exitCode);
    assertTrue(err.toString().contains("equipoise.deployment"), err.toString());
    assertTrue(err.toString().contains("equipoise.partitions"), err.toString());
    assertTrue(err.toString().contains("kafka.bootstrap.servers"), err.toString());
  }

  private static Configuration settings() {
    return settings(broker);
  }

  static Configuration settings(EmbeddedBroker broker) {
    var settings = new Configuration();
    settings.setString("equipoise.deployment", "run-test");
    settings.setString("equipoise.partitions", "1");
    settings.setString("equipoise.time.max-lag", "3650 d");
    settings.setString("equipoise.time.idle-timeout", "3650 d");
    settings.setString("equipoise.time.max-append-delay", "3650 d");
    settings.setString("execution.checkpointing.interval", "200 ms");
    settings.setString("equipoise.specs", specs.toString());
    settings.setString("kafka.bootstrap.servers", broker.bootstrapServers());
    settings.setString("parallelism.default", "1");
    settings.setString("restart-strategy.type", "none");
    return settings;
  }

  private static void send(String topic, String id) throws Exception {
    send(broker, topic, id);
  }

  private static void send(EmbeddedBroker broker, String topic, String id) throws Exception {
    Map<String, Object> person = Map.of("X1", "male", "X2", "50+", "X3", "technical");
    byte[] value =
        Wire.CONTEXT.encode(new WireContext(id, SEGMENT, 1_700_000_000_000L, person, null, null));
    var properties = new Properties();
    properties.setProperty("bootstrap.servers", broker.bootstrapServers());
    try (var producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      byte[] key = SEGMENT.getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(topic, key, value)).get();
    }
  }

  private static List<String> idsOf(List<Decision> decisions) {
    return decisions.stream().map(Decision::decisionId).toList();
  }

  /** Reads the topic from its beginning until it has so many decisions, or time is up. */
  private static List<Decision> awaitDecisions(String topic, int count) {
    return awaitDecisions(broker, topic, count);
  }

  private static List<Decision> awaitDecisions(EmbeddedBroker broker, String topic, int count) {
    var properties = new Properties();
    properties.setProperty("bootstrap.servers", broker.bootstrapServers());
    properties.setProperty("isolation.level", "read_committed");
    var decisions = new java.util.ArrayList<Decision>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (var consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      var partitions = List.of(new TopicPartition(topic, 0));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (decisions.size() < count && System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          decisions.add(Wire.DECISION.decode(record.value()));
        }
      }
    }
    return decisions;
  }
}
