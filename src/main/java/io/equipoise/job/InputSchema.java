package io.equipoise.job;

import io.equipoise.event.Decoded;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.Origin;
import io.equipoise.event.TopicKind;
import java.time.Clock;
import java.time.Duration;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;

/**
 * Decodes an input topic inside its source, so that each partition's watermark knows event time and
 * bad records do not move it. Never throws for any bytes.
 *
 * <p>How far ahead or behind an event time may be is measured from the broker's append time where
 * the topic has it, else by the clock at reading.
 */
final class InputSchema implements KafkaRecordDeserializationSchema<Decoded> {
  private static final long serialVersionUID = 1L;

  private final TopicKind kind;
  private final int maxRecordBytes;
  private final Duration allowedLag;
  private final Duration allowedSkew;
  private final Clock clock;
  private transient InputDecoder decoder;

  InputSchema(TopicKind kind, JobConfig config, Clock clock) {
    this.kind = kind;
    this.maxRecordBytes = config.maxRecordBytes();
    this.allowedLag = config.allowedLag();
    this.allowedSkew = config.allowedSkew();
    this.clock = clock;
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    decoder = new InputDecoder(maxRecordBytes);
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Decoded> out) {
    long appendTime =
        record.timestampType() == TimestampType.LOG_APPEND_TIME
            ? record.timestamp()
            : clock.millis();
    out.collect(
        decoder.decode(
            kind,
            record.key(),
            record.value(),
            new Origin(record.topic(), record.partition(), record.offset(), appendTime),
            appendTime - allowedLag.toMillis(),
            appendTime + allowedSkew.toMillis()));
  }

  @Override
  public TypeInformation<Decoded> getProducedType() {
    return StreamTypes.DECODED;
  }
}
