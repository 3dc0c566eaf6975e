package io.equipoise.job;

import io.equipoise.job.control.RawControl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Returns records of a control topic without decoding them. */
final class RawControlSchema implements KafkaRecordDeserializationSchema<RawControl> {
  private static final long serialVersionUID = 1L;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawControl> out) {
    out.collect(RawControl.of(record));
  }

  @Override
  public TypeInformation<RawControl> getProducedType() {
    return StreamTypes.RAW_CONTROL;
  }
}
