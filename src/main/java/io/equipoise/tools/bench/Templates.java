package io.equipoise.tools.bench;

import io.equipoise.job.topics.Emission.Output;
import java.io.Serializable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the identity job emits: records of each topic as the full job wrote them, in turn, and the
 * rule by which the full job emits more than one for an input.
 *
 * @param records framed records by output, evenly out of all that the full job wrote
 * @param auditsPerContext audit records of one context
 * @param segments segments of the workload
 * @param metricsEvery contexts of a segment between two metrics records
 */
record Templates(
    EnumMap<Output, List<byte[]>> records, int auditsPerContext, int segments, long metricsEvery)
    implements Serializable {

  /** Takes the records of a run of the full job as the pattern. */
  static Templates of(Committed committed, Workload workload) {
    EnumMap<Output, List<byte[]>> records = new EnumMap<>(Output.class);
    for (Map.Entry<Output, Committed.Topic> topic : committed.topics().entrySet()) {
      if (topic.getValue().count() > 0) {
        records.put(topic.getKey(), topic.getValue().samples());
      }
    }
    long audits = committed.count(Output.AUDIT);
    if (audits % workload.contexts() != 0) {
      throw new IllegalStateException(
          audits + " audit records of " + workload.contexts() + " contexts are not one rule");
    }
    return new Templates(
        records,
        (int) (audits / workload.contexts()),
        workload.segments(),
        workload.spec().metricsEvery());
  }

  /** Says whether a context is its segment's first, at which the full job adopts the spec. */
  boolean isFirstOfSegment(int context) {
    return context < segments;
  }

  /** Says whether a context completes a count at which the full job writes metrics. */
  boolean endsCount(int context) {
    return (context / segments + 1) % metricsEvery == 0;
  }
}
