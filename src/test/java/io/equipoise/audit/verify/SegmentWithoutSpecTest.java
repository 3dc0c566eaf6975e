package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refusals of a segment that no spec covers are outside the sequence, and checked. */
class SegmentWithoutSpecTest {
  private static final String UNCOVERED = "s6";
  private static final String COVERED = "s0";

  /** Nobody plays it on; every test has a copy to tamper with. */
  private static final PlayedDeployment PLAYED = new PlayedDeployment(7, 600).ended();

  private final PlayedDeployment played = PLAYED.copy();

  @Test
  void theyAreAcceptedAsTheyAreWritten() {
    TamperedLog.assertClean(findings(), Invariant.values());
    first(UNCOVERED); // there are some
  }

  /** Such a segment has no state either, and its contexts are owed an answer too. */
  @Test
  void aSegmentTooManyIsAnsweredAlike() {
    LogRecord at = first(UNCOVERED);
    LogRecord letter =
        played.log.first(LogTopic.DEAD_LETTER, it -> isOfContext(deadLetter(it), decision(at)));
    String code = "TOO_MANY_SEGMENTS";
    replace(at, "errorCode", code);
    played.log.replace(
        letter, Wire.DEAD_LETTER.encode(Tamper.with(deadLetter(letter), "code", code)));
    TamperedLog.assertClean(findings(), Invariant.values());
    played.log.remove(first(UNCOVERED));
    TamperedLog.assertNames(findings(), Invariant.I1, "decision_id ", "it has no decision");
  }

  @Test
  void oneThatNamesAnArmIsNamed() {
    LogRecord at = first(UNCOVERED);
    replace(at, "arm", "A=left");
    assertNamed("segment s6, seq 0", "a rejection without a spec may have this seq");
  }

  @Test
  void oneOfASegmentWithStateIsNamed() {
    List<LogRecord> all = played.log.records(LogTopic.DECISIONS, MemoryLog.partitionOf(COVERED));
    LogRecord last =
        all.stream().filter(at -> decision(at).segment().equals(COVERED)).reduce((a, b) -> b).get();
    Decision refused = decision(first(UNCOVERED));
    Decision moved = Tamper.with(refused, "segment", COVERED);
    moved = Tamper.with(moved, "decisionId", decision(last).decisionId());
    played.log.replace(last, TamperedLog.encode(moved));
    assertNamed("segment s0, seq 0", "the segment has state");
  }

  @Test
  void oneThatIsMissingIsNamed() {
    LogRecord at = first(UNCOVERED);
    played.log.remove(at);
    TamperedLog.assertNames(findings(), Invariant.I1, "decision_id ", "it has no decision");
  }

  @Test
  void oneThatSaysMoreThanWhyIsNamed() {
    replace(first(UNCOVERED), "certified", true);
    assertNamed("segment s6, seq 0", "a rejection without a spec may have this seq");
  }

  private void assertNamed(String offender, String why) {
    TamperedLog.assertNames(findings(), Invariant.I4, offender, why);
  }

  private void replace(LogRecord at, String field, Object value) {
    played.log.replace(at, TamperedLog.encode(Tamper.with(decision(at), field, value)));
  }

  private LogRecord first(String segment) {
    return played.log.first(LogTopic.DECISIONS, at -> decision(at).segment().equals(segment));
  }

  private static Decision decision(LogRecord at) {
    return (Decision) TamperedLog.decode(at);
  }

  private static boolean isOfContext(DeadLetter letter, Decision answer) {
    return letter.source().equals(answer.source());
  }

  private static DeadLetter deadLetter(LogRecord at) {
    return (DeadLetter) TamperedLog.decode(at);
  }

  private List<Finding> findings() {
    return new Auditor(played.log, played.texts(), AuditorTest.PLAIN).check();
  }
}
