package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.equipoise.audit.verify.Finding;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.control.BoundsPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.registry.ApicurioProcess;
import io.equipoise.job.registry.Frames;
import io.equipoise.job.registry.TestRegistry;
import io.equipoise.job.topics.TopicTable;
import io.equipoise.segment.TestBounds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job whose topics have ids of a schema registry. */
class RegistryJobTest {
  private static final String SPEC = TestBounds.spec("ignore");
  private static final CausalBoundSet BOUNDS =
      TestBounds.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75});
  private static final byte[] UNKNOWN = {0, 0x7f, 1, 2, 3, 4};

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @Test
  void bothFormatsAreReadAndEveryOutputHasAnId() throws Exception {
    try (TestRegistry registry = new TestRegistry()) {
      play("registry", registry.url(), registry::register, any -> {});
    }
  }

  /**
   * Confluent's own REST paths as Apicurio serves them, and other programs' clients of a registry,
   * which say how to install them.
   */
  @Test
  @Tag("foreign")
  void aRealRegistryDoesTheSame() throws Exception {
    try (ApicurioProcess registry = ApicurioProcess.start()) {
      String python = System.getProperty("equipoise.python", "/usr/bin/python3");
      play(
          "apicurio",
          registry.url(),
          registry::register,
          deployment -> {
            assertDecodedBy(deployment, registry.url(), "node", "src/test/node/registry.mjs");
            assertDecodedBy(deployment, registry.url(), python, "src/test/python/registry.py");
          });
    }
  }

  private interface Registration {
    int id(String subject, Schema schema) throws Exception;
  }

  private interface Check {
    void check(TestDeployment deployment) throws Exception;
  }

  /** A program finds in every record of every output the same as Avro does. */
  private static void assertDecodedBy(TestDeployment deployment, String registry, String... command)
      throws Exception {
    List<String> values = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (String topic : deployment.topics.outputs()) {
      Schema schema = TopicTable.schema("deployment" + topic.substring(topic.indexOf('.')));
      for (var record : deployment.read(topic)) {
        byte[] value = record.value();
        values.add(topic + "\t" + Base64.getEncoder().encodeToString(value));
        GenericRecord decoded =
            new GenericDatumReader<GenericRecord>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(value, 5, value.length - 5, null));
        expected.add(
            String.join(
                "\t",
                topic,
                text(decoded, "decisionId"),
                decoded.hasField("place") && decoded.get("place") instanceof GenericRecord place
                    ? text(place, "segment")
                    : "",
                "" + schema.getFields().size()));
      }
    }
    Path input = Files.createTempFile("registry", ".txt");
    try {
      Files.write(input, values);
      Process process =
          new ProcessBuilder(command[0], command[1], registry)
              .redirectInput(input.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(true, process.waitFor(1, TimeUnit.MINUTES), said);
      assertEquals(expected, said.lines().toList());
    } finally {
      Files.delete(input);
    }
  }

  private static String text(GenericRecord record, String field) {
    return record.hasField(field) && record.get(field) != null ? "" + record.get(field) : "";
  }

  private static void play(String name, String url, Registration registration, Check atTheEnd)
      throws Exception {
    try (TestDeployment deployment =
        CLUSTER
            .deployment(name)
            .with("equipoise.format.inputs", "confluent")
            .with("equipoise.format.outputs", "confluent")
            .with("schema.registry.url", url)
            .publish(SPEC)) {
      Schema foreign = withAnotherField(Wire.REWARD.schema());
      int id = registration.id("shop-value", foreign);
      new BoundsPublisher(deployment.config()).publish(BOUNDS);
      send(deployment, id);
      deployment.runToTheEnd(1);
      JobConfig config = deployment.config();
      for (String topic : deployment.topics.outputs()) {
        deployment.read(topic).forEach(each -> assertEquals(0, each.value()[0], topic));
      }
      WriterSchemas schemas = Frames.schemas(config.kafka());
      Map<String, Long> versions = new TreeMap<>();
      deployment.read(deployment.topics.decisions()).stream()
          .map(record -> schemas.decode(Wire.DECISION, record.value()))
          .filter(decision -> !decision.isRepeated())
          .forEach(d -> versions.put(d.decisionId(), d.versions().boundsVersion()));
      assertEquals(Map.of("framed", 1L, "single", 1L), versions);
      Map<String, byte[]> refused = new HashMap<>();
      deployment.read(deployment.topics.deadLetter()).stream()
          .map(record -> schemas.decode(Wire.DEAD_LETTER, record.value()))
          .forEach(letter -> refused.put(letter.code(), letter.input().value()));
      assertEquals(List.of("DUPLICATE_CONTEXT", "UNKNOWN_SCHEMA"), sorted(refused));
      assertArrayEquals(UNKNOWN, refused.get("UNKNOWN_SCHEMA"));
      assertEquals(0, refused.get("DUPLICATE_CONTEXT")[0]);
      assertEquals(
          List.of("framed"),
          deployment.read(deployment.topics.segmentEvents()).stream()
              .map(record -> schemas.decode(Wire.SEGMENT_EVENT, record.value()))
              .filter(event -> event.type() == SegmentEventType.REWARD_APPLIED)
              .map(SegmentEvent::decisionId)
              .toList());
      for (Finding finding : StableAnswersTest.audited(deployment)) {
        assertNotEquals(Finding.Verdict.VIOLATED, finding.verdict(), finding::toString);
      }
      atTheEnd.check(deployment);
    }
  }

  private static List<String> sorted(Map<String, byte[]> refused) {
    return refused.keySet().stream().sorted().toList();
  }

  private static void send(TestDeployment deployment, int foreign) {
    String contexts = deployment.topics.contexts();
    Serializer<byte[]> serializer = Frames.serializer(deployment.config());
    byte[] framed = context("framed");
    deployment.send(contexts, "s", serializer.serialize(contexts, framed));
    deployment.send(contexts, "s", context("single"));
    deployment.send(contexts, "s", serializer.serialize(contexts, framed));
    deployment.send(contexts, "s", UNKNOWN);
    long now = System.currentTimeMillis();
    byte[] reward =
        Wire.REWARD.encode(new WireReward("framed", null, "s", now, 1.0, Map.of(), null));
    byte[] longer = Arrays.copyOf(WriterSchemas.framed(foreign, reward), reward.length - 4);
    longer[longer.length - 1] = 2; // the added field: an int of 1
    deployment.send(deployment.topics.rewards(), "s", longer);
  }

  private static byte[] context(String id) {
    return Wire.CONTEXT.encode(
        new WireContext(
            id, "s", System.currentTimeMillis(), Map.of("S", "a", "X", "low"), null, null));
  }

  private static Schema withAnotherField(Schema schema) {
    String text = schema.toString();
    return new Schema.Parser()
        .parse(
            text.substring(0, text.lastIndexOf(']'))
                + ",{\"name\":\"shelf\",\"type\":\"int\"}"
                + text.substring(text.lastIndexOf(']')));
  }
}
