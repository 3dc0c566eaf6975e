package io.equipoise.lab.bench;

import io.equipoise.event.LogTopic;
import java.io.Serializable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Provides the output of the identity job: records of each topic as the full job wrote them, in
 * turn, and the number of records that the full job emits for an input.
 *
 * @param records framed records by output, sampled evenly from those of the full job
 * @param auditsPerContext audit records per context
 * @param segments segments of the workload
 * @param metricsEvery contexts of a segment between two metrics records
 */
record RecordTemplates(
    EnumMap<LogTopic, List<byte[]>> records, int auditsPerContext, int segments, long metricsEvery)
    implements Serializable {

  /** Takes the records of a run of the full job as templates. */
  static RecordTemplates of(CommittedOutput committedOutput, Workload workload) {
    EnumMap<LogTopic, List<byte[]>> records = new EnumMap<>(LogTopic.class);
    for (Map.Entry<LogTopic, CommittedOutput.Topic> topic : committedOutput.topics().entrySet()) {
      if (topic.getValue().count() > 0) {
        records.put(topic.getKey(), topic.getValue().samples());
      }
    }
    long audits = committedOutput.count(LogTopic.AUDIT);
    long contexts = committedOutput.count(LogTopic.DECISIONS);
    if (audits % contexts != 0) {
      throw new IllegalStateException(
          audits + " audit records of " + contexts + " contexts are not a multiple");
    }
    return new RecordTemplates(
        records, (int) (audits / contexts), workload.segments(), workload.spec().metricsEvery());
  }

  /** Returns whether a context is its segment's first, at which the full job adopts the spec. */
  boolean isFirstOfSegment(int context) {
    return context < segments;
  }

  /** Returns whether the full job writes metrics at a context. */
  boolean endsCount(int context) {
    return (context / segments + 1) % metricsEvery == 0;
  }
}
