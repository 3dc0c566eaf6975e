package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Live logs of a job that stands still: what nobody checked must not look proved. */
class BacklogTest {
  /** Nobody plays it on; every test has a copy to tamper with. */
  private static final PlayedDeployment PLAYED = new PlayedDeployment(11, 500);

  private final PlayedDeployment played = PLAYED.copy();
  private final MemoryLog log = played.log;

  @Test
  void inputsWithoutAnyOutputProveNothing() {
    for (LogTopic topic : LogTopic.values()) {
      for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
        if (!topic.isInput()) {
          log.records(topic, partition).clear();
        }
      }
    }
    List<Finding> findings = check(null);
    for (Finding finding : findings.subList(0, 7)) {
      assertEquals(Verdict.NOT_CHECKED, finding.verdict(), finding.toString());
      assertTrue(
          String.valueOf(finding.why()).startsWith("nothing was checked: "), finding.toString());
    }
    String why = TamperedLog.of(findings, Invariant.I1).why();
    int contexts = records(LogTopic.CONTEXTS, 0) + records(LogTopic.CONTEXTS, 1);
    assertTrue(why.contains(contexts + " contexts follow"), why);
    assertTrue(why.endsWith(eldestContext()), why);
  }

  private int records(LogTopic topic, int partition) {
    return log.records(topic, partition).size();
  }

  private String eldestContext() {
    LogRecord eldest =
        Stream.of(log.records(LogTopic.CONTEXTS, 0), log.records(LogTopic.CONTEXTS, 1))
            .map(records -> records.get(0))
            .min(Comparator.comparing(LogRecord::timestamp))
            .orElseThrow();
    return "/%d, was appended at %s"
        .formatted(eldest.offset(), Instant.ofEpochMilli(eldest.timestamp()));
  }

  @Test
  void aLogWithoutSnapshotsProvesNothingOfThem() {
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      log.records(LogTopic.METRICS, partition).clear();
    }
    List<Finding> findings = check(null);
    for (Invariant invariant : List.of(Invariant.I5, Invariant.I6)) {
      Finding finding = TamperedLog.of(findings, invariant);
      assertEquals(Verdict.NOT_CHECKED, finding.verdict(), finding.toString());
      assertTrue(String.valueOf(finding.why()).contains("no snapshot"), finding.toString());
    }
  }

  @Test
  void contextsThatAreOnTheirWayAreCountedAndThoseThatAreOverdueAreNotChecked() {
    assertNull(TamperedLog.of(check(null), Invariant.I1).why());
    int partition = MemoryLog.partitionOf("s1");
    long time = log.records(LogTopic.CONTEXTS, partition).get(0).timestamp() + 10_000_000;
    long first = send(partition, time);
    send(partition, time + 5_000);
    Instant eldest = Instant.ofEpochMilli(time);
    Finding onTheirWay = TamperedLog.of(check(eldest), Invariant.I1);
    assertEquals(Verdict.OK, onTheirWay.verdict());
    assertEquals(
        "2 contexts follow the last one that an output names; the oldest of them,"
            + " test.contexts/%d/%d, was appended at %s".formatted(partition, first, eldest),
        onTheirWay.why());
    Finding overdue = TamperedLog.of(check(eldest.plusMillis(1)), Invariant.I1);
    assertEquals(Verdict.NOT_CHECKED, overdue.verdict(), overdue.toString());
    assertEquals("test.contexts/%d/%d".formatted(partition, first), overdue.offender());
    assertTrue(
        String.valueOf(overdue.why()).contains("the job is stopped or lags"), overdue.toString());
  }

  private long send(int partition, long time) {
    byte[] key = MemoryLog.bytes("s1");
    Map<String, Object> person = Map.of("S", "a", "X", "low");
    WireContext context = new WireContext("n" + time, "s1", time, person, null, null);
    return log.append(LogTopic.CONTEXTS, partition, time, key, Wire.CONTEXT.encode(context));
  }

  private List<Finding> check(@Nullable Instant overdue) {
    VerifyOptions live =
        new VerifyOptions(
            false, Duration.ZERO, 64 << 20, 100, List.of(), Duration.ofSeconds(15), null, overdue);
    return new Auditor(log, played.texts(), live).check();
  }
}
