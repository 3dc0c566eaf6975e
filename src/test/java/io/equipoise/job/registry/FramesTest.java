package io.equipoise.job.registry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.event.CausalBound;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.TestBounds;
import io.equipoise.tools.TestRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.Test;

class FramesTest {
  private static final byte[] CONTEXT = TestRecord.contextBytes("d", "s", 1L, Map.of());

  @Test
  void withoutARegistryNothingIsConverted() {
    JobConfig config = config(Map.of());
    assertSame(config, Frames.resolve(config));
    assertInstanceOf(ByteArraySerializer.class, Frames.serializer(config));
    assertInstanceOf(ByteArrayDeserializer.class, Frames.deserializer(config.kafka()));
    assertSame(CONTEXT, Frames.framed(Frames.ids(config), "shop.contexts", CONTEXT));
  }

  @Test
  void everyTopicHasTheIdOfItsSchemaAndIsReadWithoutTheRegistry() throws IOException {
    TestRegistry registry = new TestRegistry();
    int foreign = registry.register("shop.rewards-value", Wire.DECISION.schema());
    JobConfig config = Frames.resolve(config(settings(registry.url())));
    assertEquals(9, Frames.ids(config).size());
    Serializer<byte[]> serializer = Frames.serializer(config);
    assertEquals(CONTEXT.length - 5, serializer.serialize("shop.contexts", CONTEXT).length);
    byte[] specs = {'a', ':'};
    assertSame(specs, serializer.serialize("shop.specs", specs));
    registry.close();
    WriterSchemas schemas = Frames.schemas(config.kafka());
    CausalBound row =
        TestBounds.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75}).rows().get(0);
    DeadLetter letter =
        DeadLetter.undecodable(ErrorCode.EMPTY, "no bytes", new Origin("t", 0, 0, 0), null, null);
    Map<String, byte[]> values =
        Map.of(
            "shop.dead-letter", Wire.DEAD_LETTER.encode(letter),
            "shop.causal-bounds", Wire.CAUSAL_BOUND.encode(row));
    values.forEach(
        (topic, value) -> {
          byte[] framed = Frames.framed(Frames.ids(config), topic, value);
          assertEquals(0, framed[0]);
          assertArrayEquals(
              value, Frames.deserializer(config.kafka()).deserialize(topic, framed), topic);
        });
    byte[] framed = Frames.framed(Frames.ids(config), "shop.contexts", CONTEXT);
    assertSame(framed, Frames.deserializer(config.kafka()).deserialize("shop.contexts", framed));
    assertEquals("d", schemas.decode(Wire.CONTEXT, framed).decisionId());
    assertTrue(config.registry().settings().containsKey("schema.registry.schema." + foreign));
  }

  @Test
  void aRegistryThatDoesNotAnswerOrLacksTheSchemaRefusesTheStart() throws IOException {
    StartRefusedException down =
        assertThrows(
            StartRefusedException.class,
            () -> Frames.resolve(config(settings("http://127.0.0.1:1"))));
    assertTrue(down.faults().get(0).startsWith("schema.registry.url: http://127.0.0.1:1 cannot"));
    try (TestRegistry registry = new TestRegistry()) {
      Map<String, String> settings = settings(registry.url());
      settings.put("schema.registry.auto.register.schemas", "false");
      StartRefusedException missing =
          assertThrows(StartRefusedException.class, () -> Frames.resolve(config(settings)));
      assertTrue(missing.faults().get(0).endsWith("schema.registry.auto.register.schemas: true"));
      settings.put("equipoise.format.inputs", "single-object");
      settings.put("equipoise.format.outputs", "single-object");
      assertEquals(Map.of(), Frames.ids(Frames.resolve(config(settings))));
    }
  }

  @Test
  void subjectsFollowTheStrategy() throws IOException {
    try (TestRegistry registry = new TestRegistry()) {
      Map<String, String> settings = settings(registry.url());
      settings.put("schema.registry.subject.name.strategy", "topic-record-name");
      Frames.resolve(config(settings));
      var found = Frames.registry(settings).versions("shop.audit-io.equipoise.wire.FairnessAudit");
      assertEquals(1, found.size());
    }
  }

  @Test
  void optionsAreCheckedAndSecretsMasked() {
    Map<String, String> settings = settings("localhost:8081");
    settings.put("schema.registry.urls", "x");
    settings.put("equipoise.format.inputs", "avro");
    InvalidOptionsException refused =
        assertThrows(InvalidOptionsException.class, () -> config(settings));
    assertTrue(refused.getMessage().contains("schema.registry.url: given 'localhost:8081'"));
    assertTrue(refused.getMessage().contains("schema.registry.urls: given an unknown option"));
    assertTrue(refused.getMessage().contains("allowed: single-object or confluent"));
    assertThrows(
        InvalidOptionsException.class,
        () -> config(Map.of("equipoise.format.outputs", "confluent")));
    for (String url :
        List.of(
            "http://ann:hunter2@127.0.0.1:1",
            "ann:hunter2@127.0.0.1:1",
            "http:/ann:hunter2@127.0.0.1:1",
            "http://ann:hun,ter2@127.0.0.1:1",
            "http://ann:hun/ter2@127.0.0.1:1")) {
      String told =
          assertThrows(InvalidOptionsException.class, () -> config(settings(url))).getMessage();
      assertTrue(told.contains("schema.registry.url: given '***@127.0.0.1:1'"), told);
      assertTrue(told.contains("schema.registry.basic.auth.user.info"), told);
    }
    Map<String, String> secret = settings("http://127.0.0.1:1");
    secret.put("schema.registry.basic.auth.user.info", "ann:hunter2");
    assertFalse(config(secret).toString().contains("hunter2"));
    assertFalse(config(secret).flink().toMap().toString().contains("hunter2"));
  }

  @Test
  void aStoreThatCannotBeReadIsNamed() {
    Map<String, String> settings = settings("https://127.0.0.1:1");
    settings.put("schema.registry.ssl.truststore.location", "/no/such.p12");
    String told =
        assertThrows(StartRefusedException.class, () -> Frames.resolve(config(settings)))
            .getMessage();
    assertTrue(
        told.contains(
            "schema.registry.ssl.truststore.location: /no/such.p12 cannot be used (there is no such file)"),
        told);
  }

  private static Map<String, String> settings(String url) {
    return new HashMap<>(
        Map.of(
            "equipoise.format.inputs", "confluent",
            "equipoise.format.outputs", "confluent",
            "schema.registry.url", url));
  }

  private static JobConfig config(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(more);
    all.put("equipoise.deployment", "shop");
    all.put("kafka.bootstrap.servers", "127.0.0.1:1");
    return JobConfig.from(Configuration.fromMap(all));
  }
}
