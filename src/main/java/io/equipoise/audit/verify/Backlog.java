package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
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
  void add(FateTable table, long frontier) {
    Slice slice = table.slice();
    Topic topic = slice.topic() == LogTopic.CONTEXTS ? contexts : rewards;
    boolean isFirst = true;
    for (long offset = slice.begin(); offset < slice.horizon(); offset++) {
      boolean isThere = table.has(offset, FateTable.PRESENT);
      if (isThere && offset < frontier) {
        topic.read++;
        topic.old += table.has(offset, FateTable.OLD) ? 1 : 0;
      } else if (isThere) {
        topic.behind++;
        if (isFirst) { // a partition is appended in the order of time
          topic.eldest = elder(topic.eldest, inputs.at(slice, offset));
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
  void tell(Docket docket, @Nullable Instant overdue) {
    tell(docket, Invariant.I1, contexts);
    tell(docket, Invariant.I2, rewards);
    if (contexts.read + rewards.read == contexts.old + rewards.old) {
      tell(docket, Invariant.I7, contexts);
      tell(docket, Invariant.I7, rewards);
    }
    if (!docket.hasJudged(Invariant.I4)) {
      tell(docket, Invariant.I4, contexts);
    }
    for (Invariant invariant : OF_SNAPSHOTS) {
      if (!docket.hasJudged(invariant) && docket.hasJudged(Invariant.I4)) {
        docket.unjudged(
            invariant, null, "nothing was judged: no snapshot of a segment could be compared");
      } else if (!docket.hasJudged(invariant)) {
        tell(docket, invariant, contexts);
      }
    }
    LogRecord eldest = contexts.eldest;
    if (eldest != null && overdue != null && eldest.timestamp() < overdue.toEpochMilli()) {
      docket.unjudged(
          Invariant.I1,
          eldest.place(),
          contexts.behind(eldest)
              + ", too long ago for its answer to be on its way: the job stands still or lags"
              + " behind; see that it runs, or give --final if it was stopped for good");
    }
  }

  private static void tell(Docket docket, Invariant invariant, Topic topic) {
    LogRecord eldest = topic.eldest;
    if (eldest != null && docket.hasJudged(invariant)) {
      docket.note(invariant, topic.behind(eldest));
    } else if (eldest != null) {
      docket.unjudged(invariant, null, "nothing was judged: " + topic.behind(eldest));
    } else if (topic.old > 0 && topic.old == topic.read) {
      docket.unjudged(
          invariant,
          null,
          "nothing was judged: all %d %s are older than what retention has left of the outputs"
              .formatted(topic.old, topic.name));
    }
  }
}
