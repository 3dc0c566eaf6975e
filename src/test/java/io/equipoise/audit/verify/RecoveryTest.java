package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.Finding.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A context a second from 0 on; decisions stop at 10 s and go on at 14 s. */
class RecoveryTest {
  private static final long SECOND = 1_000;

  private final MemoryLog log = new MemoryLog();

  RecoveryTest() {
    for (int second = 0; second < 60; second++) {
      append(LogTopic.CONTEXTS, second);
      if (second <= 10 || second >= 14) {
        append(LogTopic.DECISIONS, second);
      }
    }
  }

  @Test
  void aRecoveryWithinItsBudgetIsMeasured() {
    Finding finding = judge(5, at(10));
    assertEquals(Verdict.OK, finding.verdict());
    assertEquals(1, finding.judged());
    assertEquals("the slowest took 3.0 s", finding.why());
  }

  @Test
  void aSlowRecoveryIsNamed() {
    Finding finding = judge(2, at(20), at(10));
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals("fault at 1970-01-01T00:00:10Z", finding.offender());
    assertTrue(finding.why().contains("took 3.0 s, allowed are 2.0 s"), finding.why());
    assertEquals(2, finding.judged());
  }

  @Test
  void noDecisionAtAllIsNamedOnceTheBudgetIsOver() {
    for (int second = 60; second < 90; second++) {
      append(LogTopic.CONTEXTS, second);
    }
    assertEquals(Verdict.VIOLATED, judge(5, at(59)).verdict());
    assertEquals(Verdict.NOT_JUDGED, judge(60, at(59)).verdict());
  }

  @Test
  void aFaultAfterWhichNobodyAskedIsNotJudged() {
    assertEquals(Verdict.NOT_JUDGED, judge(5, at(59)).verdict());
  }

  private void append(LogTopic topic, long second) {
    log.append(topic, (int) second % 2, second * SECOND, null, new byte[0]);
  }

  private static Instant at(long second) {
    return Instant.ofEpochMilli(second * SECOND);
  }

  private Finding judge(long budget, Instant... faults) {
    Docket docket = new Docket();
    new Recovery(docket, Duration.ofSeconds(budget)).judge(log, List.of(faults));
    return TamperedLog.of(docket.findings(), Invariant.I8);
  }
}
