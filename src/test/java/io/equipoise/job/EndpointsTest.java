package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.internal.TransactionOwnership;
import org.junit.jupiter.api.Test;

/** Sources and sinks as they are configured; without any broker. */
class EndpointsTest {
  private static final String DISCOVERY = "partition.discovery.interval.ms";

  @Test
  void newPartitionsAreDiscoveredWithinThirtySeconds() {
    JobConfig standard = config(Map.of());
    assertEquals("30000", Endpoints.consumer(standard, "contexts").getProperty(DISCOVERY));
    JobConfig given = config(Map.of("kafka." + DISCOVERY, "5000"));
    assertEquals("5000", Endpoints.consumer(given, "contexts").getProperty(DISCOVERY));
  }

  @Test
  void onlyRecordsOfTransactionsWaitForOthersOfTheirBatch() {
    assertEquals("50", Endpoints.producer(config(Map.of())).getProperty("linger.ms"));
    JobConfig atLeastOnce = config(Map.of("equipoise.delivery", "at-least-once"));
    assertEquals("0", Endpoints.producer(atLeastOnce).getProperty("linger.ms"));
    assertEquals("131072", Endpoints.producer(atLeastOnce).getProperty("batch.size"));
    Map<String, String> given = Map.of("kafka.linger.ms", "7", "kafka.batch.size", "999");
    assertEquals("7", Endpoints.producer(config(given)).getProperty("linger.ms"));
    assertEquals("999", Endpoints.producer(config(given)).getProperty("batch.size"));
  }

  @Test
  void onlyInputsWhoseDecisionsWaitForACheckpointWaitForOthersOfTheirFetch() {
    assertEquals(Duration.ofMillis(20), Endpoints.pause(config(Map.of())));
    assertEquals(
        Duration.ZERO, Endpoints.pause(config(Map.of("equipoise.delivery", "at-least-once"))));
  }

  /** The connector's writer would abort the transactions that the other deployment has open. */
  @Test
  void aWriterRefusesTheStateOfAnotherDeploymentBeforeItTouchesATransaction() {
    JobConfig config = config(Map.of());
    OutputSink sink =
        (OutputSink) Endpoints.of(config, Clock.systemUTC(), Endpoints.Bounds.NONE).outputs();
    String own = config.topics().transactionalIdPrefix(Topics.OUTPUTS);
    String foreign = own.replace("shop", "staging");
    assertThrows(
        UnsupportedOperationException.class, () -> sink.restoreWriter(untouched(), states(own)));
    StartRefusedException refused =
        assertThrows(
            StartRefusedException.class,
            () -> sink.restoreWriter(untouched(), states(own, foreign)));
    assertTrue(refused.faults().get(0).contains(foreign), refused.faults().toString());
    assertTrue(refused.faults().get(0).contains(own), refused.faults().toString());
  }

  /** A context whose first use says that the connector's writer is being made. */
  private static WriterInitContext untouched() {
    return (WriterInitContext)
        Proxy.newProxyInstance(
            EndpointsTest.class.getClassLoader(),
            new Class<?>[] {WriterInitContext.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private static List<KafkaWriterState> states(String... prefixes) {
    return List.of(prefixes).stream()
        .map(
            prefix ->
                new KafkaWriterState(
                    prefix, 0, 1, TransactionOwnership.IMPLICIT_BY_SUBTASK_ID, List.of()))
        .toList();
  }

  private static JobConfig config(Map<String, String> more) {
    Map<String, String> given = new TreeMap<>(more);
    given.put("equipoise.deployment", "shop");
    given.put("kafka.bootstrap.servers", "127.0.0.1:1");
    return JobConfig.from(Configuration.fromMap(given));
  }
}
