package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.job.control.RawControl;
import org.junit.jupiter.api.Test;

/** Specs that cannot be used must be in the dead letter too. */
class ControlDeadLettersTest {
  private static final String SPECS = MemoryLog.TOPICS.specs();

  private final PlayedDeployment played = new PlayedDeployment(11, 300).ended();
  private final Finding without = check();

  private Finding check() {
    return TamperedLog.of(
        new Auditor(played.log, played.texts(), AuditorTest.PLAIN).check(), Invariant.I7);
  }

  private static RawControl refused(long offset, String text) {
    return new RawControl(
        SPECS, 0, offset, 1_700_000_000_000L, MemoryLog.bytes("a/b"), MemoryLog.bytes(text));
  }

  private void deadLetter(long offset, String text) {
    byte[] key = MemoryLog.bytes("a/b");
    DeadLetter letter =
        DeadLetter.undecodable(
            ErrorCode.SPEC_REJECTED,
            "bad",
            new Origin(SPECS, 0, offset, 1_700_000_000_000L),
            key,
            MemoryLog.bytes(text));
    played.log.append(
        LogTopic.DEAD_LETTER, 0, 1_700_000_000_001L, key, Wire.DEAD_LETTER.encode(letter));
  }

  @Test
  void aRefusedSpecInTheDeadLetterHoldsHoweverOftenItIsThere() {
    played.refused.add(refused(4, "no spec"));
    deadLetter(4, "no spec");
    deadLetter(4, "no spec");
    deadLetter(2, "removed by compaction");
    Finding finding = check();
    assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    assertEquals(without.checked() + 1, finding.checked());
  }

  @Test
  void aRefusedSpecInNoDeadLetterIsNamed() {
    played.refused.add(refused(4, "no spec"));
    Finding finding = check();
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals(SPECS + "/0/4", finding.offender());
  }

  @Test
  void otherBytesAreNamed() {
    played.refused.add(refused(4, "no spec"));
    deadLetter(4, "another text");
    Finding finding = check();
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertTrue(String.valueOf(finding.why()).contains("other bytes"), finding.toString());
  }
}
