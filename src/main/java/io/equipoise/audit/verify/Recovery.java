package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Judges I8 by the timestamps of records: after a fault, from the first context on that was
 * appended after it, how long it took until a decision was appended that was committed in the end.
 * Readers of committed records see it up to a checkpoint interval later.
 */
final class Recovery {
  private static final long NEVER = Long.MAX_VALUE;

  private final Docket docket;
  private final Duration budget;

  Recovery(Docket docket, Duration budget) {
    this.docket = docket;
    this.budget = budget;
  }

  /** Judges every fault; none leaves the invariant unjudged. */
  void judge(CommittedLog log, List<Instant> faults) {
    if (faults.isEmpty()) {
      docket.unjudged(Invariant.I8, null, "no --fault was given");
      return;
    }
    List<After> all = faults.stream().map(After::new).toList();
    List<Slice> slices = new ArrayList<>(log.slices(LogTopic.CONTEXTS));
    slices.addAll(log.slices(LogTopic.DECISIONS));
    long latest = 0;
    try (LogReader reader = log.read(slices)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        latest = Math.max(latest, at.timestamp());
        for (After after : all) {
          after.take(at);
        }
      }
    }
    long slowest = 0;
    for (After after : all) {
      judge(after, latest);
      slowest = Math.max(slowest, after.decision == NEVER ? 0 : after.millis());
    }
    docket.note(Invariant.I8, "the slowest took " + seconds(slowest));
  }

  private void judge(After after, long latest) {
    String key = "fault at " + after.fault;
    if (after.context == NEVER) {
      docket.unjudged(Invariant.I8, key, "no context was sent after it");
    } else if (after.decision == NEVER && latest < after.context + budget.toMillis()) {
      docket.unjudged(Invariant.I8, key, "the log ends before the recovery budget does");
    } else if (after.decision == NEVER) {
      docket.judged(Invariant.I8);
      docket.violated(Invariant.I8, key, "no decision was committed after it");
    } else {
      docket.judged(Invariant.I8);
      if (after.millis() > budget.toMillis()) {
        String took = "the first decision took " + seconds(after.millis());
        docket.violated(Invariant.I8, key, took + ", allowed are " + seconds(budget.toMillis()));
      }
    }
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }

  /** What came after one fault: the earliest timestamps. */
  private static final class After {
    private final Instant fault;
    private final long time;
    private long context = NEVER;
    private long decision = NEVER;

    After(Instant fault) {
      this.fault = fault;
      this.time = fault.toEpochMilli();
    }

    void take(LogRecord at) {
      if (at.timestamp() > time && at.slice().topic() == LogTopic.CONTEXTS) {
        context = Math.min(context, at.timestamp());
      } else if (at.timestamp() > time) {
        decision = Math.min(decision, at.timestamp());
      }
    }

    long millis() {
      return Math.max(0, decision - context);
    }
  }
}
