package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out since when retention has left all outputs. An output is appended after the input that
 * it names, so inputs appended since then must still have theirs; older ones are not judged.
 */
final class KeptOutputs {
  private static final long ALWAYS = Long.MIN_VALUE;

  private KeptOutputs() {}

  /** Returns the timestamp from which on nothing was removed. */
  static long from(CommittedLog log, Docket docket) {
    List<Slice> outputs = new ArrayList<>(Sequences.slices(log));
    outputs.addAll(log.slices(LogTopic.DEAD_LETTER));
    long from = ALWAYS;
    for (Slice slice : outputs) {
      if (slice.begin() > 0) {
        try (LogReader reader = log.read(List.of(slice))) {
          LogRecord first = reader.next();
          from = Math.max(from, first == null ? Long.MAX_VALUE : first.timestamp());
        }
      }
    }
    if (from == Long.MAX_VALUE) {
      for (Invariant invariant : List.of(Invariant.I1, Invariant.I2, Invariant.I7)) {
        docket.unjudged(
            invariant, null, "retention has left nothing of a partition of the outputs");
      }
    }
    return from;
  }
}
