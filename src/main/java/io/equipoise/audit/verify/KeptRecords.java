package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import java.util.List;

/**
 * Decides which audit or metrics records retention may have removed. A change and its records have
 * the same key, are sent together and have nearly the same timestamp. If both topics have the same
 * number of partitions, they are in partitions of the same number.
 *
 * @param partitions of the decisions topic
 * @param keptFrom the timestamp from which on nothing was removed, of each partition
 * @param latest of these timestamps
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeptRecords(int partitions, long[] keptFrom, long latest) {
  /**
   * Maximum time between the appends of a change and its records, ms: far longer than a producer
   * retries.
   */
  static final long MOST_APART_MILLIS = 10 * 60_000L;

  /** Reads the beginnings of a topic's partitions. */
  static KeptRecords of(CommittedLog log, LogTopic topic) {
    List<OffsetRange> slices = log.slices(topic);
    long[] keptFrom =
        slices.stream()
            .mapToLong(offsetRange -> KeptOutputs.from(log, List.of(offsetRange)))
            .toArray();
    return new KeptRecords(
        log.slices(LogTopic.DECISIONS).size(), keptFrom, KeptOutputs.from(log, slices));
  }

  /** Returns whether any records of a change are certainly removed. */
  boolean isGone(LogRecord change) {
    return change.timestamp() + MOST_APART_MILLIS < from(change);
  }

  /** Returns whether retention may have removed a record of a change. */
  boolean mayBeGone(LogRecord change) {
    return change.timestamp() - MOST_APART_MILLIS < from(change);
  }

  /** Returns whether retention has removed nothing. */
  boolean isWhole() {
    return latest == KeptOutputs.ALWAYS;
  }

  private long from(LogRecord change) {
    int partition = change.slice().partition();
    return partitions == keptFrom.length && partition < partitions ? keptFrom[partition] : latest;
  }
}
