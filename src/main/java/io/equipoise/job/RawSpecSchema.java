package io.equipoise.job;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Hands records of the specs topic over as they are. */
final class RawSpecSchema implements KafkaRecordDeserializationSchema<RawSpec> {
  private static final long serialVersionUID = 1L;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawSpec> out) {
    out.collect(
        new RawSpec(
            record.topic(),
            record.partition(),
            record.offset(),
            record.timestamp(),
            record.key(),
            record.value()));
  }

  @Override
  public TypeInformation<RawSpec> getProducedType() {
    return StreamTypes.RAW_SPEC;
  }
}
