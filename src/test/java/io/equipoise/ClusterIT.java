package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.policy.OwnFamilies;
import io.equipoise.sample.SampleJar;
import io.equipoise.tools.cluster.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code equipoise cluster} as packaged: up, killed and healed, down, and up again. One segment has
 * a policy from a jar in {@code policies/}, and the log is verified with that jar.
 */
class ClusterIT {
  private static final Path COMMAND = Path.of("target/equipoise/bin/equipoise").toAbsolutePath();
  private static final Path CONF = Path.of("target/equipoise/conf").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final Duration POLL = Duration.ofMillis(200);

  @TempDir private Path directory;

  private record Ran(int exitCode, String out, String err) {}

  @BeforeEach
  void addAForeignPolicy() throws Exception {
    SampleJar.write(Files.createDirectory(directory.resolve("policies")).resolve("softmax.jar"));
    Path specs = Files.createDirectory(directory.resolve("specs"));
    for (String file : List.of("email-ucb.yaml", "email-campaign.bif")) {
      Files.copy(CONF.resolve("specs").resolve(file), specs.resolve(file));
    }
    String softmax = OwnFamilies.specs("softmax, temperature: 0.2").get("softmax");
    Files.writeString(specs.resolve("softmax.yaml"), softmax.replace("every: 10", "every: 1"));
  }

  @AfterEach
  void down() throws Exception {
    cluster("down", "--no-savepoint");
  }

  @Test
  void theClusterComesUpHealsGoesDownAndGoesOn() throws Exception {
    String specs = directory.resolve("specs").toString();
    Ran up = cluster("up", "--specs", specs, "-D", "equipoise.warm-up=0 ms");
    assertGood(up);
    JsonNode status = status();
    assertTrue(status.path("good").asBoolean(), status.toString());
    String brokers = status.path("bootstrapServers").asText();
    assertEquals("d1", ask(brokers, "d1").decisionId());
    assertEquals("softmax", askForeign(brokers, "s1").policy());
    Map<String, Long> pids = pids(status);
    assertEquals(7, pids.size());
    assertConsoleShowsTheJob(up);

    ProcessHandle.of(pids.get("taskmanager-1")).orElseThrow().destroyForcibly();
    ProcessHandle.of(pids.get("jobmanager")).orElseThrow().destroyForcibly();
    Ran dead = cluster("status");
    assertEquals(1, dead.exitCode(), dead.toString());
    assertTrue(dead.out().lines().anyMatch(line -> line.matches("jobmanager +down.*")), dead.out());

    assertGood(cluster("up"));
    Map<String, Long> healed = pids(status());
    for (String name : List.of("zookeeper", "kafka", "taskmanager-2")) {
      assertEquals(pids.get(name), healed.get(name), name + " was left alone");
    }
    assertNotEquals(pids.get("jobmanager"), healed.get("jobmanager"));
    long before = ask(brokers, "d2").seq();
    ProcessHandle gateway = ProcessHandle.of(healed.get("gateway")).orElseThrow();
    gateway.destroyForcibly();
    gateway.onExit().get();
    awaitGateway(status);

    Ran down = cluster("down");
    assertGood(down);
    assertTrue(down.err().contains("stopped with savepoint"), down.err());
    for (Map.Entry<String, Long> one : healed.entrySet()) {
      assertFalse(
          ProcessHandle.of(one.getValue()).map(ProcessHandle::isAlive).orElse(false), one.getKey());
    }

    assertGood(cluster("up"));
    assertTrue(ask(brokers, "d3").seq() > before, "the state goes on");
    assertTrue(askForeign(brokers, "s2").seq() > 1, "the foreign state goes on");
    String servers = "kafka.bootstrap.servers=" + brokers;
    Ran verified = run("audit", "verify", "-D", "equipoise.deployment=demo", "-D", servers);
    assertTrue(verified.out().lines().anyMatch(line -> line.matches("I3 +OK .*")), verified.out());
    assertGood(verified);
  }

  private static void assertGood(Ran ran) {
    assertEquals(0, ran.exitCode(), ran.toString());
  }

  private static void assertConsoleShowsTheJob(Ran up) throws Exception {
    String console =
        up.out()
            .lines()
            .filter(line -> line.startsWith("console http"))
            .map(line -> line.substring("console ".length()))
            .findFirst()
            .orElseThrow(() -> new AssertionError(up.out()));
    JsonNode health = new ObjectMapper().readTree(URI.create(console + "api/health").toURL());
    assertEquals("RUNNING", health.at("/job/state").asText(), health.toString());
  }

  /** Waits until the keeper has started the gateway again. */
  private static void awaitGateway(JsonNode status) {
    String port = status.at("/processes/5/ports/http").asText();
    URI ready = URI.create("http://127.0.0.1:" + port + "/readyz");
    assertTrue(Waiting.until(() -> answers(ready), PATIENCE), "no gateway at " + ready);
  }

  private static boolean answers(URI address) {
    try {
      address.toURL().openStream().close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private JsonNode status() throws Exception {
    return new ObjectMapper().readTree(cluster("status", "--json", "-").out());
  }

  private static Map<String, Long> pids(JsonNode status) {
    Map<String, Long> pids = new TreeMap<>();
    status
        .path("processes")
        .forEach(process -> pids.put(process.path("name").asText(), process.path("pid").asLong()));
    return pids;
  }

  private Decision ask(String brokers, String id) throws Exception {
    return ask(brokers, "email-ucb", id, Map.of("X1", "female", "X2", "18-29", "X3", "technical"));
  }

  private Decision askForeign(String brokers, String id) throws Exception {
    return ask(brokers, "foreign", id, Map.of("S", "a", "X", "low"));
  }

  private Decision ask(String brokers, String segment, String id, Map<String, Object> person)
      throws Exception {
    Map<String, Object> clients = new HashMap<>(Map.of("bootstrap.servers", brokers));
    byte[] key = segment.getBytes(StandardCharsets.UTF_8);
    try (var producer =
        new KafkaProducer<>(clients, new ByteArraySerializer(), new ByteArraySerializer())) {
      var context = new WireContext(id, segment, System.currentTimeMillis(), person, null, null);
      producer.send(new ProducerRecord<>("demo.contexts", key, Wire.CONTEXT.encode(context))).get();
    }
    clients.put("isolation.level", "read_committed");
    try (var consumer =
        new KafkaConsumer<>(clients, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor("demo.decisions").stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (System.nanoTime() < deadline) {
        for (var record : consumer.poll(POLL)) {
          Decision decision = Wire.DECISION.decode(record.value());
          if (decision.decisionId().equals(id)) {
            return decision;
          }
        }
      }
    }
    throw new AssertionError("no answer to " + id + "\n" + cluster("status").out());
  }

  private Ran cluster(String verb, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("cluster", verb));
    words.addAll(List.of("--dir", directory.resolve("cluster").toString()));
    words.addAll(List.of(options));
    return run(words.toArray(String[]::new));
  }

  private Ran run(String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(COMMAND.toString()));
    words.addAll(List.of(arguments));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("EQUIPOISE_POLICIES", directory.resolve("policies").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // Each process lives a minute: the optimizing compiler would cost more than it saves.
    builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
    Process process = builder.start();
    assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), words + " does not end");
    return new Ran(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
