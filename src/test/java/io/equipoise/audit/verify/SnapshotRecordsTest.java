package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Snapshots.PlacedMetrics;
import io.equipoise.event.ArmShare;
import io.equipoise.event.LogTopic;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.ReferenceRedactor;
import io.equipoise.segment.replay.DueSnapshot;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which fields of a snapshot are compared, what is waited for, and which repetitions may be. */
class SnapshotRecordsTest {
  private static final String SEGMENT = TamperedLog.SEGMENT;

  /** Checked against the log by {@link Recount} and {@link DeadLetterCounts}. */
  private static final Set<String> LEDGERS = Set.of("contexts", "decisions", "rewards");

  private final MemoryLog log = new PlayedDeployment(7, 200).log;
  private final Change change =
      Change.of(log.first(LogTopic.DECISIONS, at -> isOfSegment(TamperedLog.decode(at))));
  private final LogRecord at =
      log.first(LogTopic.METRICS, at -> isOfSegment(TamperedLog.decode(at)));
  private final SegmentMetrics snapshot = Wire.METRICS.decode(Payloads.value(at));
  private final FindingsCollector findings = new FindingsCollector();

  private static boolean isOfSegment(Record record) {
    return TamperedLog.component(record, "segment").equals(SEGMENT);
  }

  private SnapshotRecords check(boolean mayLag, long memoryBytes) {
    return new SnapshotRecords(
        KeptRecords.of(log, LogTopic.METRICS),
        mayLag,
        new ReferenceRedactor(KeyRing.none(), hash -> null),
        findings,
        new MemoryBudget(memoryBytes));
  }

  private long violations() {
    return TamperedLog.of(findings.findings(), Invariant.I3).violations();
  }

  private PlacedMetrics found(SegmentMetrics told) {
    LogRecord checked = log.first(LogTopic.METRICS, it -> it.offset() == at.offset());
    return new PlacedMetrics(
        new LogRecord(
            log.slices(LogTopic.METRICS).get(at.slice().partition()),
            checked.offset(),
            checked.timestamp(),
            checked.key(),
            Wire.METRICS.encode(told)),
        told);
  }

  private Change change(int writerEpoch) {
    LogRecord checked =
        new LogRecord(
            log.slices(LogTopic.DECISIONS).get(change.at().slice().partition()),
            change.at().offset(),
            change.at().timestamp(),
            change.at().key(),
            change.at().value());
    return new Change(
        checked, SEGMENT, change.seq(), Tamper.with(change.record(), "writerEpoch", writerEpoch));
  }

  private static DueSnapshot due(long seq) {
    return new DueSnapshot(seq, 0, MetricsTrigger.EVENT_TIME, 0);
  }

  @Test
  void everyFieldIsComparedButDigestsAndTheCountOfRememberedIds() {
    Set<String> passed = new TreeSet<>();
    compare("", snapshot, passed);
    assertEquals(Set.of("dedupEntries", "digests.model", "digests.pending"), passed);
    assertTrue(violations() > 20, violations() + " fields");
  }

  /**
   * Compares with every field altered in turn, nested ones too, and notes where nothing was found.
   */
  private void compare(String path, Record record, Set<String> passed) {
    for (RecordComponent field : record.getClass().getRecordComponents()) {
      String name = path + field.getName();
      Object value = TamperedLog.component(record, field.getName());
      Object wrong = other(field, value);
      long before = violations();
      if (value instanceof Record nested && !LEDGERS.contains(name)) {
        compare(name + ".", nested, passed);
      } else if (wrong != null) {
        check(false, 10_000).compared(found(Tamper.with(snapshot, name, wrong)), snapshot);
        if (violations() == before) {
          passed.add(name);
        }
      }
    }
  }

  /** Returns another value of a field, numbers by their last bit; null where the type has none. */
  private static @Nullable Object other(RecordComponent field, @Nullable Object value) {
    Class<?> type = field.getType();
    if (type == Double.class) {
      return value == null ? (Double) 0.5 : (Double) Math.nextUp((Double) value);
    } else if (type == double.class) {
      return Math.nextUp((Double) value);
    } else if (type == boolean.class) {
      return Boolean.FALSE.equals(value);
    } else if (type == String.class) {
      return Tamper.otherText(field.getName(), value);
    } else if (type == int.class) {
      return (Integer) value + 1;
    } else if (type == long.class || type == Long.class) {
      return value == null ? 1L : (Long) value + 1;
    } else if (type == MetricsTrigger.class) {
      return value == MetricsTrigger.COUNT ? MetricsTrigger.EVENT_TIME : MetricsTrigger.COUNT;
    }
    return field.getName().equals("listed") ? List.of(new ArmShare("A=else", 1)) : null;
  }

  @Test
  void whatAJobThatRunsHasNotAppendedYetIsNotMissed() {
    SnapshotRecords check = check(true, 10_000);
    check.replayed(change(0), due(change.seq()));
    check.replayed(change(0), null);
    check.ended();
    assertEquals(0, violations());
    check.passed(change.at().timestamp() + KeptRecords.MOST_APART_MILLIS);
    assertEquals(0, violations());
    check.passed(change.at().timestamp() + KeptRecords.MOST_APART_MILLIS + 1);
    assertEquals(1, violations());
  }

  @Test
  void aTopicWithoutASnapshotDoesNotFillTheMemory() {
    SnapshotRecords check = check(true, 10_000);
    for (int i = 1; i <= 100; i++) {
      check.replayed(change(0), due(change.seq()));
      check.replayed(change(0), null);
      check.passed(change.at().timestamp() + KeptRecords.MOST_APART_MILLIS + 1);
      assertEquals(i, violations());
    }
  }

  /** A turn closes many windows, and only then writes its snapshot. */
  @Test
  void ofChangesThatMayBeOfOneTurnOnlyTheLastMustHaveItsSnapshot() {
    SnapshotRecords check = check(false, 10_000);
    check.replayed(change(0), due(1));
    check.replayed(change(0), due(2));
    assertEquals(0, violations());
    check.replayed(change(0), new DueSnapshot(3, 0, MetricsTrigger.COUNT, 0));
    assertEquals(1, violations());
    check.replayed(change(0), due(4));
    assertEquals(2, violations());
    check.ended();
    assertEquals(3, violations());
  }

  /** What the first has written was in no checkpoint; the next one's timer comes again. */
  @Test
  void aLaterWriterEpochMayWriteASnapshotByEventTimeAgain() {
    SnapshotRecords check = check(false, 10_000);
    SegmentMetrics first = Tamper.with(snapshot, "writerEpoch", 1);
    SegmentMetrics second = Tamper.with(snapshot, "writerEpoch", 2);
    check.replayed(change(1), null);
    check.compared(found(first), first);
    check.compared(found(second), second);
    check.replayed(change(2), null);
    assertEquals(0, violations());
    check.compared(found(second), second);
    check.compared(found(second), second);
    assertEquals(1, violations());
    check.replayed(change(1), null);
    assertEquals(2, violations());
    check.replayed(change(1), due(change.seq()));
    check.compared(found(first), first);
    check.compared(found(second), second);
    assertEquals(3, violations());
  }
}
