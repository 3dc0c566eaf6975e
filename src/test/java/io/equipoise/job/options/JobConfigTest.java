package io.equipoise.job.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.cli.InvalidOptionsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobConfigTest {
  private static final Map<String, String> LEAST =
      Map.of("equipoise.deployment", "shop", "kafka.bootstrap.servers", "broker:9092");

  @Test
  void theLeastConfigurationHasTheDocumentedDefaults() {
    var config = from(Map.of());
    assertEquals(new Topics("shop"), config.topics());
    assertEquals(Delivery.EXACTLY_ONCE, config.delivery());
    assertEquals(List.of(), config.specs());
    assertEquals(4, config.partitions());
    assertEquals(1, config.replicationFactor());
    assertEquals(Duration.ofMinutes(10), config.maxClockSkew());
    assertEquals(Duration.ofMinutes(30), config.idleTimeout());
    assertEquals(Duration.ofSeconds(5), config.maxOutOfOrderness());
    assertEquals(Duration.ofMillis(500), config.checkpointInterval());
    assertEquals(Duration.ofMinutes(9), config.maxOutage());
    assertEquals(Duration.ofSeconds(871), config.transactionTimeout());
    assertEquals(1 << 20, config.maxRecordBytes());
    assertEquals(MemorySize.ofMebiBytes(256), config.recoveryMaxMemory());
  }

  @Test
  void givenValuesAreTaken(@TempDir Path specs) {
    var config =
        from(
            Map.of(
                "equipoise.delivery", "exactly-once",
                "equipoise.specs", specs + ";" + specs,
                "equipoise.time.max-clock-skew", "1 min",
                "execution.checkpointing.interval", "200 ms",
                "equipoise.max-record-bytes", "2 mb",
                "equipoise.recovery.max-memory", "2 gb",
                "kafka.transaction.timeout.ms", "1000000"));
    assertEquals(List.of(specs, specs), config.specs());
    assertEquals(Duration.ofMinutes(1), config.maxClockSkew());
    assertEquals(Duration.ofMillis(200), config.checkpointInterval());
    assertEquals(2 << 20, config.maxRecordBytes());
    assertEquals(MemorySize.ofMebiBytes(2048), config.recoveryMaxMemory());
    assertEquals(Duration.ofSeconds(1000), config.transactionTimeout());
  }

  @Test
  void atLeastOnceSendsEachRecordOnAtOnceUnlessToldOtherwise() {
    var given = new Configuration();
    given.setString("equipoise.deployment", "shop");
    given.setString("kafka.bootstrap.servers", "broker:9092");
    assertFalse(JobConfig.from(given).flink().contains(ExecutionOptions.BUFFER_TIMEOUT));
    given.setString("equipoise.delivery", "at-least-once");
    assertEquals(Duration.ZERO, JobConfig.from(given).flink().get(ExecutionOptions.BUFFER_TIMEOUT));
    given.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ofMillis(5));
    assertEquals(
        Duration.ofMillis(5), JobConfig.from(given).flink().get(ExecutionOptions.BUFFER_TIMEOUT));
  }

  @Test
  void aSettingThatKafkaOrFlinkKnowsAlmostSoIsRefused() {
    Map<String, String> given =
        Map.of(
            "equipoise.deployment", "a",
            "kafka.bootstrap.servers", "a:1",
            "kafka.linger.mss", "5",
            "kafka.security.protocol", "PLAINTEXT",
            "kafka.x", "y",
            "execution.checkpointing.intervall", "1 s",
            "execution.checkpointing.timeout", "20 s");
    InvalidOptionsException refusal =
        assertThrows(
            InvalidOptionsException.class, () -> JobConfig.from(Configuration.fromMap(given)));
    assertEquals(
        List.of(
            "execution.checkpointing.intervall: given a setting that Flink does not know and would"
                + " ignore; allowed: the settings of Flink; did you mean"
                + " execution.checkpointing.interval?",
            "kafka.linger.mss: given a setting that Kafka does not know and would ignore; allowed:"
                + " the settings of Kafka; did you mean kafka.linger.ms?"),
        refusal.faults());
  }

  @ParameterizedTest
  @CsvSource({
    "equipoise.partitions, 010, '010'",
    "equipoise.privacy.key-file, '', nothing",
    "equipoise.deployment, ' ', nothing"
  })
  void aNumberWithALeadingZeroAndAnEmptyTextAreRefused(String option, String value, String given) {
    Configuration all =
        Configuration.fromMap(
            Map.of("equipoise.deployment", "a", "kafka.bootstrap.servers", "a:1"));
    all.setString(option, value);
    InvalidOptionsException refusal =
        assertThrows(InvalidOptionsException.class, () -> JobConfig.from(all));
    assertTrue(
        refusal.faults().stream()
            .anyMatch(it -> it.startsWith(option + ": given ") && it.contains(given)),
        refusal::getMessage);
  }

  @Test
  void allFaultsAreToldTogetherWithWhatWasGivenAndWhatIsAllowed() {
    var given = new Configuration();
    given.setString("equipoise.deployment", "My Shop");
    given.setString("equipoise.delivery", "at-most-once");
    given.setString("equipoise.partitions", "many");
    given.setString("equipoise.time.idle-timeout", "9 min");
    given.setString("pipeline.auto-watermark-interval", "0 ms");
    var refused = assertThrows(InvalidOptionsException.class, () -> JobConfig.from(given));
    assertEquals(
        List.of(
            "equipoise.deployment: given 'My Shop'; allowed: [a-z0-9][a-z0-9-]*, at most 200",
            "equipoise.delivery: given 'at-most-once'; allowed: exactly-once or at-least-once",
            "kafka.bootstrap.servers: given nothing; allowed: brokers as host:port,host:port",
            "equipoise.partitions: given 'many'; allowed: 1 to 10000",
            "equipoise.time.idle-timeout: given '9 min'; allowed: longer than"
                + " equipoise.max-outage (540 s)",
            "pipeline.auto-watermark-interval: given '0 ms'; allowed: more than 0 ms: without"
                + " watermarks nothing expires"),
        refused.faults());
    assertTrue(refused.getMessage().contains("\n  equipoise.partitions: given 'many'"));
  }

  /** A producer whose buffer is smaller than a record fails at it, after every restart too. */
  @Test
  void theProducersBufferHoldsTheLargestRecord() {
    String memory = "buffer.memory";
    assertNull(from(Map.of()).kafka().get(memory), "the client's own 32 MiB");
    assertEquals(
        Long.toString(2 * ((64L << 20) + (128 << 10))),
        from(Map.of("equipoise.max-record-bytes", "64 mb")).kafka().get(memory));
    assertEquals("1179648", from(Map.of("kafka.buffer.memory", "1179648")).kafka().get(memory));
  }

  @ParameterizedTest
  @CsvSource({
    "equipoise.delivery, at-most-once",
    "equipoise.partitions, 0",
    "equipoise.replication-factor, 40000",
    "equipoise.specs, no/such/file.yaml",
    "equipoise.time.max-clock-skew, soon",
    "equipoise.time.max-out-of-orderness, 0 s",
    "execution.checkpointing.interval, 1 ms",
    "equipoise.max-outage, 30 min",
    "equipoise.max-outage, 99999999999999 d",
    "equipoise.time.max-clock-skew, 99999999999999 d",
    "equipoise.time.max-lag, 99999999999999 d",
    "equipoise.time.max-out-of-orderness, 99999999999999 d",
    "equipoise.time.max-append-delay, 99999999999999 d",
    "execution.checkpointing.interval, 99999999999999 d",
    "equipoise.features.inline, true",
    "equipoise.max-record-bytes, 65 mb",
    "equipoise.max-record-bytes, 63 kb",
    "equipoise.recovery.max-memory, 1023 kb",
    "equipoise.time.alowed-skew, 1 min",
    "kafka.transaction.timeout.ms, 841000",
    "execution.checkpointing.timeout, 2 h",
    "execution.checkpointing.min-pause, 2 h",
    "execution.checkpointing.tolerable-failed-checkpoints, -1",
    "kafka.transaction.timeout.ms, long",
    "kafka.isolation.level, read_uncommitted",
    "kafka.group.id, mine",
    "kafka.partitioner.class, org.apache.kafka.clients.producer.RoundRobinPartitioner",
    "kafka.partitioner.ignore.keys, true",
    "kafka.buffer.memory, 1179647",
    "kafka.buffer.memory, much",
    "kafka.batch.size, 1179649",
    "pipeline.generic-types, true",
    "pipeline.auto-generate-uids, true",
    "pipeline.max-parallelism, 2",
    "execution.checkpointing.externalized-checkpoint-retention, DELETE_ON_CANCELLATION",
    "scheduler-mode, REACTIVE",
    "execution.checkpointing.mode, AT_LEAST_ONCE"
  })
  void oneFaultIsToldByTheNameOfItsOption(String option, String value) {
    var given = new HashMap<>(LEAST);
    given.put("parallelism.default", "4");
    given.put(option, value);
    var refused =
        assertThrows(
            InvalidOptionsException.class, () -> JobConfig.from(Configuration.fromMap(given)));
    assertEquals(1, refused.faults().size(), refused.getMessage());
    var fault = refused.faults().get(0);
    var told = value.equals("30 min") ? "equipoise.time.idle-timeout" : option;
    assertTrue(fault.startsWith(told + ": given "), fault);
  }

  @ParameterizedTest
  @CsvSource({
    "841001, 500 ms, 30 s, 8, 9 min, true",
    "841000, 500 ms, 30 s, 8, 9 min, false",
    "900000, 500 ms, 30 s, 9, 9 min, true",
    "900000, 500 ms, 30 s, 10, 9 min, false",
    "900000, 500 ms, 5 min, 0, 9 min, false",
    "840000, 9 min, 30 s, 0, 9 min, false",
    "2000, 9 min, 30 s, 0, 1 s, false",
    "60000, 500 ms, 18 s, 0, 20 s, true"
  })
  void aTransactionMustOutliveTheCheckpointsThatMayFail(
      String timeout,
      String interval,
      String each,
      String tolerated,
      String outage,
      boolean isEnough) {
    var given =
        Map.of(
            "kafka.transaction.timeout.ms", timeout,
            "execution.checkpointing.interval", interval,
            "execution.checkpointing.timeout", each,
            "execution.checkpointing.tolerable-failed-checkpoints", tolerated,
            "equipoise.max-outage", outage);
    if (isEnough) {
      assertEquals(timeout, Long.toString(from(given).transactionTimeout().toMillis()));
      return;
    }
    var refused = assertThrows(InvalidOptionsException.class, () -> from(given));
    var fault = refused.faults().get(0);
    assertTrue(fault.startsWith("kafka.transaction.timeout.ms: given '" + timeout), fault);
    assertTrue(fault.contains("(execution.checkpointing.tolerable-failed-checkpoints + 2)"), fault);
  }

  @Test
  void withoutATransactionTimeoutOneIsSetThatIsLongEnough() {
    var config =
        from(
            Map.of(
                "execution.checkpointing.interval", "9 min",
                "execution.checkpointing.timeout", "5 min",
                "execution.checkpointing.tolerable-failed-checkpoints", "3",
                "execution.checkpointing.min-pause", "1 s"));
    assertEquals(Duration.ofSeconds(540 + 5 * 301 + 540 + 30), config.transactionTimeout());
  }

  @Test
  void atLeastOnceNeedsNoTransactionThatOutlivesCheckpoints() {
    var config =
        from(
            Map.of(
                "equipoise.delivery", "at-least-once", "kafka.transaction.timeout.ms", "600000"));
    assertEquals(Duration.ofMinutes(10), config.transactionTimeout());
  }

  /** A recovered decision is found only while contexts of a partition arrive in order. */
  @Test
  void unalignedCheckpointsAreRefusedAtLeastOnce() {
    Map<String, String> given =
        Map.of(
            "execution.checkpointing.unaligned.enabled", "true",
            "equipoise.delivery", "at-least-once");
    InvalidOptionsException refused =
        assertThrows(InvalidOptionsException.class, () -> from(given));
    String fault = refused.faults().get(0);
    assertTrue(fault.startsWith("execution.checkpointing.unaligned.enabled: given 'true'"), fault);
    Configuration atLeastOnce = from(Map.of("equipoise.delivery", "at-least-once")).flink();
    assertFalse(atLeastOnce.get(CheckpointingOptions.ENABLE_UNALIGNED));
    assertEquals(
        "exactly-once",
        from(Map.of("execution.checkpointing.unaligned.enabled", "true")).delivery().toString());
  }

  @Test
  void anIntervalIsLongerWhereNoDecisionWaitsForIt() {
    var delivery = Map.of("equipoise.delivery", "at-least-once");
    assertEquals(Duration.ofSeconds(5), from(delivery).checkpointInterval());
  }

  @Test
  void theFlinkSettingsThatTheGuaranteesRestOnAreSet() {
    var flink = from(Map.of("execution.checkpointing.interval", "1 s")).flink();
    assertFalse(flink.get(PipelineOptions.GENERIC_TYPES));
    assertFalse(flink.get(PipelineOptions.AUTO_GENERATE_UIDS));
    assertEquals(128, flink.get(PipelineOptions.MAX_PARALLELISM));
    assertEquals(Duration.ofSeconds(1), flink.get(CheckpointingOptions.CHECKPOINTING_INTERVAL));
    assertEquals(Duration.ofSeconds(30), flink.get(CheckpointingOptions.CHECKPOINTING_TIMEOUT));
    assertEquals(
        Duration.ofMillis(50), flink.get(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS));
    assertEquals(8, flink.get(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER));
    assertEquals(
        CheckpointingMode.EXACTLY_ONCE,
        flink.get(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE));
  }

  @Test
  void kafkaSettingsReachTheClientsAndNotFlink() {
    var config = from(Map.of("kafka.sasl.mechanism", "PLAIN"));
    assertEquals(
        Map.of(
            "bootstrap.servers", "broker:9092",
            "sasl.mechanism", "PLAIN",
            "transaction.timeout.ms", "871000"),
        config.kafka());
    assertFalse(config.flink().toMap().keySet().stream().anyMatch(key -> key.contains("kafka")));
  }

  @Test
  void printsHoldNoSecrets() {
    var printed =
        from(Map.of("kafka.sasl.jaas.config", "hunter2", "s3.secret-key", "hunter2")).toString();
    assertFalse(printed.contains("hunter2"), printed);
    assertTrue(printed.contains("kafka.sasl.jaas.config=" + Secrets.MASK), printed);
    assertTrue(printed.contains("kafka.bootstrap.servers=broker:9092"), printed);
  }

  private static JobConfig from(Map<String, String> settings) {
    var given = new HashMap<>(LEAST);
    given.putAll(settings);
    return JobConfig.from(Configuration.fromMap(given));
  }
}
