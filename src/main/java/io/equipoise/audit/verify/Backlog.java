package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inputs that a live log says nothing of, for they lie behind the frontier of their partition.
 * They may be on their way. But where nothing else was judged, nothing was proved; and a context
 * that is older than anything on its way can be is one of a job that stands still or lags behind.
 */
final class Backlog {
  private static final List<Invariant> OF_SNAPSHOTS =
      List.of(Invariant.I3, Invariant.I5, Invariant.I6);

  private final InputRecords inputs;
  private final Topic contexts = new Topic("contexts");
  private final Topic rewards = new Topic("rewards");

  /** What one topic has. */
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
      return "%d %s stand behind the last one that an output names; the eldest of them, %s,"
              .formatted(behind, name, first.place())
          + " is of "
          + Instant.ofEpochMilli(first.timestamp());
    }
  }

  Backlog(InputRecords inputs) {
    this.inputs = inputs;
  }

  /** Takes in the records of a table, of which those before an offset were judged. */
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
        if (isFirst) { // a partition is appended in the order of time
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
   * Says what was not judged, and whether it should have been.
   *
   * @param overdue a context appended before it is not on its way any more; null if none is overdue
   */
  void tell(FindingsCollector findingsCollector, @Nullable Instant overdue) {
    tell(findingsCollector, Invariant.I1, contexts);
    tell(findingsCollector, Invariant.I2, rewards);
    if (contexts.read + rewards.read == contexts.old + rewards.old) {
      tell(findingsCollector, Invariant.I7, contexts);
      tell(findingsCollector, Invariant.I7, rewards);
    }
    if (!findingsCollector.hasChecked(Invariant.I4)) {
      tell(findingsCollector, Invariant.I4, contexts);
    }
    for (Invariant invariant : OF_SNAPSHOTS) {
      if (!findingsCollector.hasChecked(invariant) && findingsCollector.hasChecked(Invariant.I4)) {
        findingsCollector.unchecked(
            invariant, null, "nothing was judged: no snapshot of a segment could be compared");
      } else if (!findingsCollector.hasChecked(invariant)) {
        tell(findingsCollector, invariant, contexts);
      }
    }
    LogRecord eldest = contexts.eldest;
    if (eldest != null && overdue != null && eldest.timestamp() < overdue.toEpochMilli()) {
      findingsCollector.unchecked(
          Invariant.I1,
          eldest.place(),
          contexts.behind(eldest)
              + ", too long ago for its answer to be on its way: the job stands still or lags"
              + " behind; see that it runs, or give --final if it was stopped for good");
    }
  }

  private static void tell(FindingsCollector findingsCollector, Invariant invariant, Topic topic) {
    LogRecord eldest = topic.eldest;
    if (eldest != null && findingsCollector.hasChecked(invariant)) {
      findingsCollector.note(invariant, topic.behind(eldest));
    } else if (eldest != null) {
      findingsCollector.unchecked(invariant, null, "nothing was judged: " + topic.behind(eldest));
    } else if (topic.old > 0 && topic.old == topic.read) {
      findingsCollector.unchecked(
          invariant,
          null,
          "nothing was judged: all %d %s are older than what retention has left of the outputs"
              .formatted(topic.old, topic.name));
    }
  }
}
