package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.util.RandomData;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class ConsoleMetricsTest {
  private static final long NOW = 1_700_000_000_000L;

  private final Aggregator aggregator =
      new Aggregator(TimeAxis.of(Duration.ofHours(1)), Limits.DEFAULT);

  @Test
  void theFiguresAreThoseOfTheNewestRecordOfSomeSegments() throws Exception {
    SegmentMetrics email = send("email", 0);
    send("video", 1);
    PrometheusRegistry registry = new PrometheusRegistry();
    ConsoleMetrics.register(registry, aggregator, 1, hash -> null);
    assertEquals(
        List.of((double) email.contexts().decided()),
        values(registry, "equipoise_segment_decisions"));
    assertEquals(
        List.of((double) email.fairness().violations()),
        values(registry, "equipoise_segment_violations"));
    assertEquals(
        List.of((double) email.decisions().settled()),
        values(registry, "equipoise_segment_settled_decisions"),
        "rewards.applied has none of those that are learned when the window closes");
  }

  @Test
  void theDedupEntriesAndTheTimeOfTheSpecAreGauges() throws Exception {
    SegmentMetrics email = send("email", 0);
    PrometheusRegistry registry = new PrometheusRegistry();
    ConsoleMetrics.register(
        registry, aggregator, 1, hash -> Objects.equals(hash, email.specHash()) ? NOW - 500 : null);
    assertEquals(
        List.of((double) email.dedupEntries()),
        gauges(registry, "equipoise_segment_dedup_entries"));
    assertEquals(
        List.of(NOW / 1000.0 - 0.5),
        gauges(registry, "equipoise_segment_spec_published_timestamp_seconds"));
  }

  @Test
  void aSpecWhoseTextIsGoneHasNoTime() throws Exception {
    send("email", 0);
    PrometheusRegistry registry = new PrometheusRegistry();
    ConsoleMetrics.register(registry, aggregator, 1, hash -> null);
    assertEquals(List.of(), gauges(registry, "equipoise_segment_spec_published_timestamp_seconds"));
  }

  @Test
  void withoutTheOptionThereAreNone() throws Exception {
    send("email", 0);
    PrometheusRegistry registry = new PrometheusRegistry();
    ConsoleMetrics.register(registry, aggregator, 0, hash -> null);
    assertEquals(0, registry.scrape().size());
  }

  /** Prometheus's counters throw at them, and the whole page would be an error. */
  @Test
  void aNegativeCountIsLeftOut() throws Exception {
    send("email", 0, -100);
    PrometheusRegistry registry = new PrometheusRegistry();
    ConsoleMetrics.register(registry, aggregator, 1, hash -> null);
    assertEquals(List.of(), values(registry, "equipoise_segment_decisions"));
  }

  private static List<Double> values(PrometheusRegistry registry, String name) {
    return registry.scrape().stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .flatMap(it -> ((CounterSnapshot) it).getDataPoints().stream())
        .filter(it -> it.getLabels().equals(Labels.of("segment", "email")))
        .map(CounterDataPointSnapshot::getValue)
        .toList();
  }

  private static List<Double> gauges(PrometheusRegistry registry, String name) {
    return registry.scrape().stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .flatMap(it -> ((GaugeSnapshot) it).getDataPoints().stream())
        .map(GaugeDataPointSnapshot::getValue)
        .toList();
  }

  private SegmentMetrics send(String segment, int seed) throws Exception {
    return send(segment, seed, 7L + seed);
  }

  private SegmentMetrics send(String segment, int seed, long least) throws Exception {
    var schema = Wire.METRICS.schema();
    var record = (GenericData.Record) new RandomData(schema, 1, seed).iterator().next();
    ((GenericData.Record) record.get("place")).put("segment", segment);
    ((GenericData.Record) record.get("place")).put("seq", 1L);
    ((GenericData.Record) record.get("place")).put("writerEpoch", 0);
    record.put("eventTime", NOW);
    record.put("trigger", new GenericData.EnumSymbol(schema.getField("trigger").schema(), "COUNT"));
    record.put("redaction", null);
    record.put("splits", List.of());
    var fairness = (GenericData.Record) record.get("fairness");
    fairness.put("certificates", List.of());
    for (Object counts :
        List.of(
            record.get("contexts"),
            record.get("decisions"),
            record.get("rewards"),
            fairness,
            fairness.get("verdicts"))) {
      var ledger = (GenericData.Record) counts;
      ledger.getSchema().getFields().stream()
          .filter(field -> field.schema().getType() == Schema.Type.LONG)
          .forEach(field -> ledger.put(field.pos(), least + field.pos()));
    }
    var out = new ByteArrayOutputStream();
    new BinaryMessageEncoder<Object>(new GenericData(), schema).encode(record, out);
    aggregator.on(
        LogTopic.METRICS,
        new ConsumerRecord<>(
            "shop.metrics",
            0,
            seed,
            NOW,
            TimestampType.CREATE_TIME,
            0,
            0,
            new byte[0],
            out.toByteArray(),
            new RecordHeaders(),
            Optional.empty()),
        NOW);
    return Wire.METRICS.decode(out.toByteArray());
  }
}
