package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A context a second from 0 on, each answered at once but for those that come from 10 s on: the
 * first is answered at 10.5 s, the next three at 14 s.
 */
class RecoveredAnswersTest {
  private static final long SECOND = 1_000;
  private static final Decision ANY =
      Wire.DECISION.decode(
          new PlayedDeployment(1, 20).log.first(LogTopic.DECISIONS, at -> true).value());

  private final MemoryLog log = new MemoryLog();

  RecoveredAnswersTest() {
    for (int second = 0; second < 60; second++) {
      ask(second);
      if (second < 10) {
        answer(second, second * SECOND);
      }
    }
    answer(10, 10 * SECOND + 500);
    for (int second = 11; second < 60; second++) {
      answer(second, Math.max(14, second) * SECOND);
    }
  }

  /** What had been asked before the fault is answered soon after it, and proves nothing. */
  @Test
  void aRecoveryWithinItsBudgetIsMeasuredByWhatWasAskedAfterTheFault() {
    Finding finding = check(5, at(10));
    assertEquals(Verdict.OK, finding.verdict());
    assertEquals(1, finding.checked());
    assertEquals("the slowest took 3.0 s", finding.why());
  }

  @Test
  void aSlowRecoveryIsNamed() {
    Finding finding = check(2, at(20), at(10));
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals("fault at 1970-01-01T00:00:10Z", finding.offender());
    assertTrue(finding.why().contains("took 3.0 s; the limit is 2.0 s"), finding.why());
    assertEquals(2, finding.checked());
  }

  @Test
  void noAnswerAtAllIsNamedOnceTheBudgetIsOver() {
    answer(59, 59 * SECOND + 500);
    for (int second = 60; second < 90; second++) {
      ask(second);
    }
    assertEquals(Verdict.VIOLATED, check(5, at(59)).verdict());
    assertEquals(Verdict.NOT_CHECKED, check(60, at(59)).verdict());
  }

  @Test
  void aFaultAfterWhichNobodyAskedIsNotChecked() {
    assertEquals(Verdict.NOT_CHECKED, check(5, at(59)).verdict());
  }

  @Test
  void markersAndWhatAFrozenWriterEpochAppendsAreNoAnswers() {
    ask(60);
    log.mark(0, 60 * SECOND, new WriterEpochMarker(ANY.writerEpoch() + 1, 0, 127));
    append(60, 61 * SECOND, Tamper.with(ANY, "keyGroup", 0));
    ask(70);
    assertEquals(Verdict.VIOLATED, check(5, at(59)).verdict());
  }

  private void ask(int second) {
    log.append(LogTopic.CONTEXTS, second % 2, second * SECOND, null, new byte[0]);
  }

  /** Appends the answer to what was asked at a second. */
  private void answer(int second, long time) {
    append(second, time, ANY);
  }

  private void append(int second, long time, Decision like) {
    Decision decision = Tamper.with(like, "source.partition", second % 2);
    decision = Tamper.with(decision, "source.offset", (long) second / 2);
    log.append(LogTopic.DECISIONS, second % 2, time, null, Wire.DECISION.encode(decision));
  }

  private static Instant at(long second) {
    return Instant.ofEpochMilli(second * SECOND);
  }

  private Finding check(long budget, Instant... faults) {
    FindingsCollector findings = new FindingsCollector();
    new RecoveredAnswers(findings, Duration.ofSeconds(budget)).check(log, List.of(faults));
    return TamperedLog.of(findings.findings(), Invariant.I8);
  }
}
