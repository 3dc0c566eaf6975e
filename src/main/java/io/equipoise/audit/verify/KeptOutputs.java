package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import java.util.List;

/**
 * States since when retention has kept all outputs. An output is appended after its input, so
 * inputs appended since then must still have their outputs. Earlier inputs are not checked.
 *
 * @param changes the timestamp from which on no decision or segment event was removed, ms
 * @param deadLetters the timestamp from which on no dead letter was removed, ms
 */
record KeptOutputs(long changes, long deadLetters) {
  static final long ALWAYS = Long.MIN_VALUE;
  private static final long NEVER = Long.MAX_VALUE;

  /**
   * Reads the first record of every shortened output partition.
   *
   * @param areChangesKept whether all decisions and segment events of the checked inputs are on the
   *     log, even if earlier ones were removed
   */
  static KeptOutputs of(CommittedLog log, boolean areChangesKept, FindingsCollector findings) {
    long changes = areChangesKept ? ALWAYS : from(log, Sequences.slices(log));
    long deadLetters = deadLettersOf(log);
    if (changes == NEVER || (deadLetters == NEVER && !areChangesKept)) {
      for (Invariant invariant : List.of(Invariant.I1, Invariant.I2, Invariant.I7)) {
        findings.unchecked(
            invariant, null, "retention has removed all records of an output partition");
      }
    }
    return new KeptOutputs(changes, deadLetters);
  }

  /** Returns the timestamp from which on no dead letter was removed. */
  static long deadLettersOf(CommittedLog log) {
    return from(log, log.slices(LogTopic.DEAD_LETTER));
  }

  /** Returns the table flags of an input appended at a time. */
  int flags(long timestamp) {
    return (timestamp < changes ? DispositionTable.OLD : 0)
        | (timestamp < deadLetters ? DispositionTable.OLDER_THAN_DEAD_LETTERS : 0);
  }

  /**
   * Returns the timestamp from which on nothing was removed from some ranges; the maximum if one of
   * them is empty now. Removed records may be as recent as the first one left.
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
