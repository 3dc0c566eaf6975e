package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the inputs of a live log after the frontier of their partition, which no output names.
 * They may still be in processing. If nothing else was checked, nothing is proved. A context older
 * than the time allowed for processing means that the job is stopped or lags.
 */
final class Backlog {
  private static final List<Invariant> OF_SNAPSHOTS =
      List.of(Invariant.I3, Invariant.I5, Invariant.I6);

  private final InputRecords inputs;
  private final Topic contexts = new Topic("contexts");
  private final Topic rewards = new Topic("rewards");

  private static final class Topic {
    private final String name;
    private long read;
    private long old;
    private long behind;
    private @Nullable LogRecord eldest;

    private Topic(String name) {
      this.name = name;
    }

    private String behind(LogRecord first) {
      return "%d %s follow the last one that an output names; the oldest of them, %s,"
              .formatted(behind, name, first.place())
          + " was appended at "
          + Instant.ofEpochMilli(first.timestamp());
    }
  }

  Backlog(InputRecords inputs) {
    this.inputs = inputs;
  }

  /** Adds the records of a table; those before the frontier were checked. */
  void add(DispositionTable table, long frontier) {
    OffsetRange offsetRange = table.slice();
    Topic topic = offsetRange.topic() == LogTopic.CONTEXTS ? contexts : rewards;
    boolean isFirst = true;
    for (long offset = offsetRange.begin(); offset < offsetRange.horizon(); offset++) {
      boolean isThere = table.has(offset, DispositionTable.PRESENT);
      if (isThere && offset < frontier) {
        topic.read++;
        topic.old += table.has(offset, DispositionTable.OLD) ? 1 : 0;
      } else if (isThere) {
        topic.behind++;
        if (isFirst) { // append times of a partition ascend
          topic.eldest = elder(topic.eldest, inputs.at(offsetRange, offset));
          isFirst = false;
        }
      }
    }
  }

  private static @Nullable LogRecord elder(@Nullable LogRecord one, @Nullable LogRecord other) {
    return one == null || (other != null && other.timestamp() < one.timestamp()) ? other : one;
  }

  /**
   * Reports the inputs that were not checked, and whether they should have been.
   *
   * @param overdue contexts appended before this time must have a decision; null disables the check
   */
  void report(FindingsCollector findings, @Nullable Instant overdue) {
    report(findings, Invariant.I1, contexts);
    report(findings, Invariant.I2, rewards);
    if (contexts.read + rewards.read == contexts.old + rewards.old) {
      report(findings, Invariant.I7, contexts);
      report(findings, Invariant.I7, rewards);
    }
    if (!findings.hasChecked(Invariant.I4)) {
      report(findings, Invariant.I4, contexts);
    }
    for (Invariant invariant : OF_SNAPSHOTS) {
      if (!findings.hasChecked(invariant) && findings.hasChecked(Invariant.I4)) {
        findings.unchecked(
            invariant, null, "nothing was checked: no snapshot of a segment could be compared");
      } else if (!findings.hasChecked(invariant)) {
        report(findings, invariant, contexts);
      }
    }
    LogRecord eldest = contexts.eldest;
    if (eldest != null && overdue != null && eldest.timestamp() < overdue.toEpochMilli()) {
      findings.unchecked(
          Invariant.I1,
          eldest.place(),
          contexts.behind(eldest)
              + ", too long ago for a decision still to arrive: the job is stopped or lags; check"
              + " that it runs, or give --final if it was stopped for good");
    }
  }

  private static void report(FindingsCollector findings, Invariant invariant, Topic topic) {
    LogRecord eldest = topic.eldest;
    if (eldest != null && findings.hasChecked(invariant)) {
      findings.note(invariant, topic.behind(eldest));
    } else if (eldest != null) {
      findings.unchecked(invariant, null, "nothing was checked: " + topic.behind(eldest));
    } else if (topic.old > 0 && topic.old == topic.read) {
      findings.unchecked(
          invariant,
          null,
          "nothing was checked: all %d %s are older than the outputs that retention kept"
              .formatted(topic.old, topic.name));
    }
  }
}
