package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Explanation;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.ReferenceRedactor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long fairness records are awaited, and in how much memory. */
class FairnessRecordsTest {
  private static final long MINUTE = 60_000;
  private static final String SEGMENT = "s1";

  private final PlayedDeployment played = new PlayedDeployment(7, 500);
  private final MemoryLog log = played.log;
  private final FindingsCollector findings = new FindingsCollector();

  private FairnessRecords check(boolean mayLag, long memoryBytes) {
    return new FairnessRecords(
        LogTopic.AUDIT,
        Map.of(),
        Map.of(),
        KeptRecords.of(log, LogTopic.AUDIT),
        true,
        mayLag,
        new ReferenceRedactor(KeyRing.none(), hash -> null),
        findings,
        new MemoryBudget(memoryBytes));
  }

  private Finding found() {
    return TamperedLog.of(findings.findings(), Invariant.I3);
  }

  /** Returns the decisions of a segment, a minute apart. */
  private List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (LogRecord at : log.records(LogTopic.DECISIONS, MemoryLog.partitionOf(SEGMENT))) {
      Change change = Change.of(at(at, changes.size() * MINUTE));
      if (change.segment().equals(SEGMENT)) {
        changes.add(change);
      }
    }
    return changes;
  }

  private LogRecord at(LogRecord record, long timestamp) {
    return new LogRecord(
        log.slices(record.slice().topic()).get(record.slice().partition()),
        record.offset(),
        timestamp,
        record.key(),
        record.value());
  }

  private List<Explanation> audits(Change change) {
    return log.records(LogTopic.AUDIT, MemoryLog.partitionOf(SEGMENT)).stream()
        .<Explanation>map(at -> Wire.AUDIT.decode(Payloads.value(at)))
        .filter(audit -> audit.segment().equals(SEGMENT) && audit.seq() == change.seq())
        .toList();
  }

  @Test
  void aTopicWithoutARecordDoesNotFillTheMemory() {
    FairnessRecords check = check(false, 20_000);
    int written = 0;
    for (Change change : changes()) {
      check.passed(change.at().timestamp());
      check.replayed(change, audits(change));
      written += audits(change).size();
    }
    assertTrue(written > 30, written + " do not fill it");
    long before = found().violations();
    assertTrue(before > 0 && before < written, before + " of " + written);
    check.ended();
    assertEquals(written, found().violations());
  }

  @Test
  void whatAJobThatRunsHasNotAppendedYetIsNotMissed() {
    FairnessRecords check = check(true, 1 << 20);
    Change change =
        changes().stream().filter(it -> !audits(it).isEmpty()).findFirst().orElseThrow();
    check.replayed(change, audits(change));
    check.ended();
    assertEquals(0, found().violations());
    check.passed(change.at().timestamp() + KeptRecords.MOST_APART_MILLIS);
    assertEquals(0, found().violations());
    check.passed(change.at().timestamp() + KeptRecords.MOST_APART_MILLIS + 1);
    assertEquals(audits(change).size(), found().violations());
  }
}
