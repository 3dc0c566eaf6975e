package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
import java.util.List;

/**
 * Since when retention has left all outputs. An output is appended after the input that it names,
 * so inputs appended since then must still have theirs; older ones are not judged.
 *
 * @param changes the timestamp from which on no decision or segment event was removed
 * @param letters the timestamp from which on no dead letter was removed
 */
record KeptOutputs(long changes, long letters) {
  static final long ALWAYS = Long.MIN_VALUE;
  private static final long NEVER = Long.MAX_VALUE;

  /**
   * Finds out.
   *
   * @param areChangesKept whether all decisions and segment events of the inputs judged are known
   *     to be there, however much was removed before
   */
  static KeptOutputs of(
      CommittedLog log, boolean areChangesKept, FindingsCollector findingsCollector) {
    long changes = areChangesKept ? ALWAYS : from(log, Sequences.slices(log));
    long letters = deadLettersOf(log);
    if (changes == NEVER || (letters == NEVER && !areChangesKept)) {
      for (Invariant invariant : List.of(Invariant.I1, Invariant.I2, Invariant.I7)) {
        findingsCollector.unchecked(
            invariant, null, "retention has left nothing of a partition of the outputs");
      }
    }
    return new KeptOutputs(changes, letters);
  }

  /** Returns the timestamp from which on no dead letter was removed. */
  static long deadLettersOf(CommittedLog log) {
    return from(log, log.slices(LogTopic.DEAD_LETTER));
  }

  /** Returns what a table must know of an input appended at a time. */
  int flags(long timestamp) {
    return (timestamp < changes ? DispositionTable.OLD : 0)
        | (timestamp < letters ? DispositionTable.OLDER_THAN_LETTERS : 0);
  }

  /**
   * Returns the timestamp from which on nothing of some slices was removed; one later than all
   * where nothing is left of one of them. Removed records may be as old as the first that is left.
   */
  static long from(CommittedLog log, List<OffsetRange> outputs) {
    long from = ALWAYS;
    for (OffsetRange offsetRange : outputs) {
      if (offsetRange.begin() > 0) {
        try (LogReader reader = log.read(List.of(offsetRange))) {
          LogRecord first = reader.next();
          from = Math.max(from, first == null ? NEVER : first.timestamp() + 1);
        }
      }
    }
    return from;
  }
}
