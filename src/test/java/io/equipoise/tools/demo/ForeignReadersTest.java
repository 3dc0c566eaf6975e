package io.equipoise.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.WriterSchemas;
import io.equipoise.job.registry.TestRegistry;
import io.equipoise.tools.EmbeddedBroker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.util.RandomData;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Runs the consumers of {@code docs/examples}, which know of the wire only the {@code .avsc} files.
 * Needs Node and Python with their libraries; without them the tests fail.
 */
@Tag("foreign")
@Timeout(300)
@ResourceLock("the deployment demo")
class ForeignReadersTest {
  private static final Path EXAMPLES = Path.of("docs", "examples");
  private static final Pattern BROKER = Pattern.compile("broker +(\\S+:\\d+)");
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int RECORDS = 200;

  /** Input topics have bad values, each with a dead letter; decisions may have markers. */
  @ParameterizedTest
  @CsvSource({"exactly-once", "at-least-once"})
  void everyRecordOfADemoIsDecoded(String delivery) throws Exception {
    StringWriter out = new StringWriter();
    Thread demo = new Thread(() -> play(delivery, out), "demo");
    demo.start();
    try {
      String broker = awaitBroker(out, demo);
      Map<String, Long> expected = counts(broker, "demo");
      for (String topic :
          List.of("contexts", "rewards", "decisions", "audit", "segment-events", "metrics")) {
        assertNotEquals(0, expected.get("demo." + topic), expected::toString);
      }
      assertNotEquals(0, expected.get("demo.dead-letter"), expected::toString);
      assertRead(expected, broker, "demo");
    } finally {
      demo.interrupt();
      demo.join(PATIENCE.toMillis());
    }
    assertFalse(demo.isAlive(), "it does not stop");
  }

  /** A demo has no experiment and no causal bounds, and leaves many fields null. */
  @Test
  void randomRecordsOfEverySchemaAreDecoded() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      Map<String, Long> sent = new TreeMap<>();
      for (Schema schema : schemas()) {
        String topic = "random." + schema.getName();
        send(broker.bootstrapServers(), topic, schema);
        sent.put(topic, (long) RECORDS);
      }
      assertEquals(10, sent.size());
      assertRead(sent, broker.bootstrapServers(), "random");
    }
  }

  @Test
  void aRecordThatCannotBeDecodedIsNamed() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      Schema schema = schemas().get(0);
      byte[] good = encoded(schema, 1).get(0);
      byte[] other = good.clone();
      other[2] ^= 1;
      String topic = "bad." + schema.getName();
      send(broker.bootstrapServers(), topic, List.of(other, good));
      for (List<String> reader : readers()) {
        Run run = run(reader, broker.bootstrapServers(), "bad");
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.text().contains(topic + "-0@0: no schema has the header"), run::toString);
        assertTrue(run.text().contains(schema.getName() + "=1"), run::toString);
      }
    }
  }

  @Test
  void recordsWithIdsOfARegistryAreDecoded() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestRegistry registry = new TestRegistry()) {
      Map<String, Long> sent = new TreeMap<>();
      for (Schema schema : schemas()) {
        String topic = "ids." + schema.getName();
        int id = registry.register(topic + "-value", schema);
        List<byte[]> framed =
            encoded(schema, RECORDS).stream().map(each -> WriterSchemas.framed(id, each)).toList();
        send(broker.bootstrapServers(), topic, framed);
        sent.put(topic, (long) RECORDS);
      }
      assertRead(sent, broker.bootstrapServers(), "ids", registry.url());
    }
  }

  private static void play(String delivery, StringWriter out) {
    new CommandLine(new DemoCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(new StringWriter()))
        .execute(
            "--rounds",
            "300",
            "--policy",
            "ucb,f-ucb,screen",
            "--delivery",
            delivery,
            "--keep-running");
  }

  private static String awaitBroker(StringWriter out, Thread demo) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline && demo.isAlive()) {
      Matcher found = BROKER.matcher(out.toString());
      if (found.find() && out.toString().contains("Ctrl-C")) {
        return found.group(1);
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
    throw new AssertionError("it prints no broker: " + out);
  }

  private static void assertRead(
      Map<String, Long> expected, String broker, String deployment, String... registry)
      throws Exception {
    for (List<String> reader : readers()) {
      Run run = run(reader, broker, deployment, registry);
      assertEquals(0, run.exitCode(), run::toString);
      Map<String, Long> found = new TreeMap<>();
      for (String line : run.text().lines().toList()) {
        String[] words = line.split(" ", -1);
        long sum = 0;
        for (String word : List.of(words).subList(1, words.length)) {
          sum += word.equals("empty") ? 0 : Long.parseLong(word.replaceAll(".*=", ""));
        }
        boolean isInput = words[0].endsWith(".contexts") || words[0].endsWith(".rewards");
        assertTrue(isInput || words.length == 2, "one type of record in each topic: " + line);
        found.put(words[0], sum);
      }
      assertEquals(expected, found, run::toString);
    }
  }

  private static List<List<String>> readers() {
    String python = System.getProperty("equipoise.python", "/usr/bin/python3");
    return List.of(
        List.of("node", EXAMPLES.resolve("consume.mjs").toString()),
        List.of(python, "-B", EXAMPLES.resolve("consume.py").toString()));
  }

  private static Run run(List<String> reader, String broker, String deployment, String... registry)
      throws Exception {
    List<String> command = new ArrayList<>(reader);
    command.addAll(List.of(broker, deployment, "avro"));
    command.addAll(List.of(registry));
    Path text = Files.createTempFile("foreign-reader", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(text.toFile())
              .start();
      boolean hasEnded = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      process.destroyForcibly();
      int exitCode = hasEnded ? process.exitValue() : -1;
      return new Run(command, exitCode, Files.readString(text));
    } catch (IOException e) {
      throw new AssertionError(new Run(command, -1, String.valueOf(e.getMessage())).toString(), e);
    } finally {
      Files.delete(text);
    }
  }

  private static List<Schema> schemas() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("avro"))) {
      return files
          .sorted()
          .map(
              file -> {
                try {
                  return new Schema.Parser().parse(file.toFile());
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              })
          .toList();
    }
  }

  /** Encodes records with arbitrary values; times are within the years that Python knows. */
  private static List<byte[]> encoded(Schema schema, int count) throws IOException {
    var encoder = new BinaryMessageEncoder<GenericData.Record>(new GenericData(), schema);
    List<byte[]> values = new ArrayList<>();
    for (Object each : new RandomData(schema, count, 1L)) {
      GenericData.Record filled = (GenericData.Record) each;
      replaceTimes(filled);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      encoder.encode(filled, out);
      values.add(out.toByteArray());
    }
    return values;
  }

  private static void replaceTimes(GenericData.Record filled) {
    for (Schema.Field field : filled.getSchema().getFields()) {
      Object value = filled.get(field.pos());
      if (value instanceof GenericData.Record nested) {
        replaceTimes(nested);
      } else if (value instanceof Long && field.schema().toString().contains("timestamp-millis")) {
        filled.put(field.pos(), 1_700_000_000_000L);
      }
    }
  }

  private static void send(String broker, String topic, Schema schema) throws Exception {
    send(broker, topic, encoded(schema, RECORDS));
  }

  private static void send(String broker, String topic, List<byte[]> values) throws Exception {
    byte[] key = "segment".getBytes(StandardCharsets.UTF_8);
    try (var admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) broker))) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (byte[] value : values) {
        producer.send(new ProducerRecord<>(topic, 0, key, value)).get();
      }
    }
  }

  /** Counts the values of each topic that readers of committed records see. */
  private static Map<String, Long> counts(String broker, String deployment) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    Map<String, Long> counts = new TreeMap<>();
    try (var consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.listTopics().entrySet().stream()
              .filter(it -> it.getKey().startsWith(deployment + "."))
              .filter(it -> !it.getKey().equals(deployment + ".specs"))
              .flatMap(it -> it.getValue().stream())
              .map(it -> new TopicPartition(it.topic(), it.partition()))
              .toList();
      all.forEach(it -> counts.put(it.topic(), 0L));
      consumer.assign(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (!all.stream().allMatch(it -> consumer.position(it) >= ends.get(it))) {
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
          counts.merge(each.topic(), each.value() == null ? 0L : 1L, Long::sum);
        }
      }
    }
    return counts;
  }

  private record Run(List<String> command, int exitCode, String text) {
    @Override
    public String toString() {
      return String.join(" ", command)
          + " exits with "
          + exitCode
          + "; it needs Node 18 with kafkajs and avsc (npm ci --prefix docs/examples, or"
          + " NODE_PATH), and Python 3 with confluent_kafka and avro (Debian: apt install"
          + " python3-confluent-kafka python3-avro; another Python: -Dequipoise.python=FILE)\n"
          + text;
    }
  }
}
