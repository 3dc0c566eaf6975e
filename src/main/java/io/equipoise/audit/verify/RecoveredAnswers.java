package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.WireException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks I8 by append times: the time from the first context appended after a fault until the first
 * decision on any context appended after it. Decisions on earlier contexts may have been in
 * processing before the fault. Readers of committed records see the decision up to a checkpoint
 * interval later; with at-least-once delivery, append time is when a reader sees it.
 */
record RecoveredAnswers(FindingsCollector findings, Duration budget) {
  private static final long NEVER = Long.MAX_VALUE;

  /**
   * Checks every fault; without faults the invariant is unchecked.
   *
   * @param log the log of all writer epochs, with withdrawn records
   */
  void check(CommittedLog log, List<Instant> faults) {
    if (faults.isEmpty()) {
      findings.unchecked(Invariant.I8, null, "no --fault was given");
      return;
    }
    List<After> all = faults.stream().map(After::new).toList();
    long latest = Math.max(readContexts(log, all), readDecisions(log, all));
    long slowest = 0;
    for (After after : all) {
      check(after, latest);
      slowest = Math.max(slowest, after.decision == NEVER ? 0 : after.millis());
    }
    findings.note(Invariant.I8, "the slowest took " + seconds(slowest));
  }

  private static long readContexts(CommittedLog log, List<After> all) {
    long latest = 0;
    try (LogReader reader = log.read(log.slices(LogTopic.CONTEXTS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        latest = Math.max(latest, at.timestamp());
        for (After after : all) {
          after.takeContext(at);
        }
      }
    }
    return latest;
  }

  private static long readDecisions(CommittedLog log, List<After> all) {
    VoidRecords voids = new VoidRecords();
    long latest = 0;
    try (LogReader reader = log.read(log.slices(LogTopic.DECISIONS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        latest = Math.max(latest, at.timestamp());
        Decision decision = decision(at, voids);
        if (decision != null) {
          for (After after : all) {
            after.takeDecision(at, decision);
          }
        }
      }
    }
    return latest;
  }

  private static @Nullable Decision decision(LogRecord at, VoidRecords voids) {
    try {
      return voids.decision(at);
    } catch (WireException e) {
      return null; // I4 reports it
    }
  }

  private void check(After after, long latest) {
    String key = "fault at " + after.fault;
    if (after.context == NEVER) {
      findings.unchecked(Invariant.I8, key, "no context was sent after it");
    } else if (after.decision == NEVER && latest < after.context + budget.toMillis()) {
      findings.unchecked(Invariant.I8, key, "the log ends before the recovery budget does");
    } else if (after.decision == NEVER) {
      findings.checked(Invariant.I8);
      findings.violated(
          Invariant.I8, key, "no decision was committed on a context that was sent after it");
    } else {
      findings.checked(Invariant.I8);
      if (after.millis() > budget.toMillis()) {
        String took = "the first decision took " + seconds(after.millis());
        findings.violated(Invariant.I8, key, took + "; the limit is " + seconds(budget.toMillis()));
      }
    }
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }

  /**
   * Records after one fault: the first context offset per partition, and the earliest append times.
   */
  private static final class After {
    private final Instant fault;
    private final long time;
    private final Map<RecordPlace, Long> firstContexts = new HashMap<>();
    private long context = NEVER;
    private long decision = NEVER;

    After(Instant fault) {
      this.fault = fault;
      this.time = fault.toEpochMilli();
    }

    void takeContext(LogRecord at) {
      if (at.timestamp() > time) {
        firstContexts.putIfAbsent(RecordPlace.of(at.slice()), at.offset());
        context = Math.min(context, at.timestamp());
      }
    }

    void takeDecision(LogRecord at, Decision taken) {
      RecordPlace origin = RecordPlace.of(taken.source());
      if (taken.source().offset() >= firstContexts.getOrDefault(origin, NEVER)) {
        decision = Math.min(decision, at.timestamp());
      }
    }

    long millis() {
      return Math.max(0, decision - context);
    }
  }
}
