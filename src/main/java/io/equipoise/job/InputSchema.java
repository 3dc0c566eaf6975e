package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decoded;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.TraceParent;
import io.equipoise.job.options.InputSkip;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.registry.Frames;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Decodes an input topic inside its source, so that each partition's watermark uses event times and
 * invalid records do not advance it. Never throws, whatever the bytes. Waits for a schema registry
 * that does not answer.
 *
 * <p>Lag and skew of an event time are relative to the broker's append time if the topic has it,
 * otherwise to the clock at reading.
 */
final class InputSchema implements KafkaRecordDeserializationSchema<Decoded> {
  private static final long serialVersionUID = 1L;

  private final LogTopic kind;
  private final int maxRecordBytes;
  private final Duration maxLag;
  private final Duration maxClockSkew;
  private final Clock clock;
  private final List<InputSkip> skips;
  private final Map<String, String> registry;
  private transient InputDecoder decoder;

  InputSchema(LogTopic kind, JobConfig config, Clock clock) {
    this.kind = kind;
    this.maxRecordBytes = config.maxRecordBytes();
    this.maxLag = config.maxLag();
    this.maxClockSkew = config.maxClockSkew();
    this.clock = clock;
    this.skips = config.inputSkips();
    this.registry = config.registry().settings();
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    decoder = new InputDecoder(maxRecordBytes, Frames.schemas(registry));
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Decoded> out) {
    if (isSkipped(record)) {
      out.collect(new Decoded.Bad(skipped(record)));
      return;
    }
    long appendTime =
        record.timestampType() == TimestampType.LOG_APPEND_TIME
            ? record.timestamp()
            : clock.millis();
    out.collect(
        decoder.decode(
            kind,
            record.key(),
            record.value(),
            new Origin(
                record.topic(), record.partition(), record.offset(), appendTime, trace(record)),
            appendTime - maxLag.toMillis(),
            appendTime + maxClockSkew.toMillis()));
  }

  private @Nullable String trace(ConsumerRecord<byte[], byte[]> record) {
    Header header =
        kind == LogTopic.CONTEXTS ? record.headers().lastHeader(TraceParent.HEADER) : null;
    return header == null ? null : TraceParent.of(header.value());
  }

  private boolean isSkipped(ConsumerRecord<byte[], byte[]> record) {
    for (InputSkip skip : skips) {
      if (skip.covers(record.offset())
          && skip.partition() == record.partition()
          && skip.topic().equals(record.topic())) {
        return true;
      }
    }
    return false;
  }

  private static DeadLetter skipped(ConsumerRecord<byte[], byte[]> record) {
    return DeadLetter.undecodable(
        ErrorCode.SKIPPED,
        JobOptions.INPUTS_SKIP.key() + " lists this offset; the record was not read",
        new Origin(record.topic(), record.partition(), record.offset(), Origin.NO_APPEND_TIME),
        null,
        null);
  }

  @Override
  public TypeInformation<Decoded> getProducedType() {
    return StreamTypes.DECODED;
  }
}
