package io.equipoise.offline.count;

import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Converts the records of a segment-events topic to cells of one row each. */
final class SegmentEventCells
    implements KafkaRecordDeserializationSchema<Tuple5<Integer, Long, Long, Long, String>> {
  private static final long serialVersionUID = 1L;

  private final CountLayout countLayout;
  private final SegmentLog log;
  private transient @Nullable SegmentEventRows rows;

  SegmentEventCells(CountLayout countLayout, SegmentLog log) {
    this.countLayout = countLayout;
    this.log = log;
  }

  @Override
  public void deserialize(
      ConsumerRecord<byte[], byte[]> record,
      Collector<Tuple5<Integer, Long, Long, Long, String>> out) {
    SegmentEventRows reader = rows == null ? new SegmentEventRows(countLayout, log) : rows;
    rows = reader;
    String fault;
    @Nullable SegmentEvent segmentEvent = null;
    try {
      segmentEvent =
          Wire.SEGMENT_EVENT.decode(record.value() == null ? new byte[0] : record.value());
      fault = reader.read(segmentEvent);
    } catch (WireException e) {
      fault = "is no segment event: " + e.fact();
    }
    if (fault != null) {
      out.collect(Cell.fault(record.partition(), record.offset(), fault));
    } else if (segmentEvent != null && reader.isRow()) {
      if (segmentEvent.writerEpoch() > 0) {
        out.collect(WriterEpochs.of(segmentEvent, record.partition(), record.offset()));
      }
      for (int scope = 0; scope < countLayout.scopes().size(); scope++) {
        int of = scope;
        countLayout.count(
            scope, reader.levels(), 1, (code, count) -> out.collect(Cell.counted(of, code, count)));
      }
    }
  }

  @Override
  public TypeInformation<Tuple5<Integer, Long, Long, Long, String>> getProducedType() {
    return Cell.TYPE;
  }
}
