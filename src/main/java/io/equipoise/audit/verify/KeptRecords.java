package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
import java.util.List;

/**
 * Which records that tell of changes (of fairness, or snapshots) retention may have removed. A
 * change and its records are keyed alike and sent together, so that they stand in partitions of one
 * number as long as both topics have the same number of them, and have nearly the same timestamp.
 */
final class KeptRecords {
  /**
   * How far apart a change and its records may be appended, ms: far longer than a producer tries to
   * deliver.
   */
  static final long MOST_APART_MILLIS = 10 * 60_000L;

  private final int partitions;
  private final long[] keptFrom;
  private final long latest;

  private KeptRecords(int partitions, long[] keptFrom, long latest) {
    this.partitions = partitions;
    this.keptFrom = keptFrom;
    this.latest = latest;
  }

  /** Finds out for a topic. */
  static KeptRecords of(CommittedLog log, LogTopic topic) {
    List<OffsetRange> slices = log.slices(topic);
    long[] keptFrom =
        slices.stream()
            .mapToLong(offsetRange -> KeptOutputs.from(log, List.of(offsetRange)))
            .toArray();
    return new KeptRecords(
        log.slices(LogTopic.DECISIONS).size(), keptFrom, KeptOutputs.from(log, slices));
  }

  /** Says whether the records of a change are certain to be gone, if there were any. */
  boolean isGone(LogRecord change) {
    return change.timestamp() + MOST_APART_MILLIS < from(change);
  }

  /** Says whether they may be gone. */
  boolean mayBeGone(LogRecord change) {
    return change.timestamp() - MOST_APART_MILLIS < from(change);
  }

  /** Says whether retention has left all of them. */
  boolean isWhole() {
    return latest == KeptOutputs.ALWAYS;
  }

  private long from(LogRecord change) {
    int partition = change.slice().partition();
    return partitions == keptFrom.length && partition < partitions ? keptFrom[partition] : latest;
  }
}
