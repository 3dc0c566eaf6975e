package io.equipoise.audit.log;

import io.equipoise.event.LogTopic;
import io.equipoise.event.WriterSchemas;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the committed records of a deployment, between fixed offsets. */
public interface CommittedLog {

  /** Returns the ranges of a topic, one per partition, in the order of partitions. */
  List<OffsetRange> slices(LogTopic topic);

  /**
   * Reads ranges to their reach.
   *
   * @throws InconclusiveException if they cannot be read completely
   */
  LogReader read(List<OffsetRange> slices);

  /**
   * Reads ranges to their reach and hands on each record, in the order of a {@link LogReader}.
   *
   * @throws InconclusiveException if they cannot be read completely
   */
  default void forEach(List<OffsetRange> slices, Consumer<LogRecord> to) {
    try (LogReader reader = read(slices)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        to.accept(at);
      }
    }
  }

  /**
   * Returns the schemas of contexts and rewards, which have their bytes as they are on the topic.
   */
  default WriterSchemas writers() {
    return WriterSchemas.NONE;
  }

  /**
   * Returns the current end offsets of partitions, independent of the reach of their ranges. Leaves
   * out ranges whose end the user chose.
   *
   * @throws InconclusiveException if the brokers do not answer
   */
  Map<OffsetRange, Long> endsNow(List<OffsetRange> slices);
}
