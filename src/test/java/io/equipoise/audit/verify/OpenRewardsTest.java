package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.IdHash;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A reward that nothing names, whose decision is on the log of a job that goes on. */
class OpenRewardsTest {
  private static final Set<String> CODES =
      Set.of("LATE_REWARD", "DECISION_CLOSED", "CONFLICTING_REWARD");

  private final PlayedDeployment played = new PlayedDeployment(7, 500);
  private final MemoryLog log = played.log;

  @Test
  void itIsLostThoughItsSegmentForgotAnotherDecision() {
    DeadLetter lost = lost();
    assertEquals(Verdict.VIOLATED, check());
    forget(lost, "another", Long.MAX_VALUE);
    assertEquals(Verdict.VIOLATED, check());
  }

  @Test
  void itIsLostThoughItsSegmentForgotAnEarlierDecisionOfItsId() {
    DeadLetter lost = lost();
    forget(lost, String.valueOf(lost.input().decisionId()), 0);
    assertEquals(Verdict.VIOLATED, check());
  }

  @Test
  void itMayBeHeldOnceItsSegmentForgotItsDecision() {
    DeadLetter lost = lost();
    forget(lost, String.valueOf(lost.input().decisionId()), Long.MAX_VALUE);
    assertEquals(Verdict.OK, check());
  }

  /** Takes away the last letter of a reward that came after another one. */
  private DeadLetter lost() {
    List<LogRecord> all = new ArrayList<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      all.addAll(log.records(LogTopic.DEAD_LETTER, partition));
    }
    LogRecord last =
        all.stream()
            .filter(at -> CODES.contains(Wire.DEAD_LETTER.decode(at.value()).code()))
            .max(Comparator.comparing(LogRecord::timestamp))
            .orElseThrow();
    log.remove(last);
    return Wire.DEAD_LETTER.decode(last.value());
  }

  private void forget(DeadLetter lost, String decisionId, long seq) {
    String segment = String.valueOf(lost.segment());
    LogRecord any = log.first(LogTopic.SEGMENT_EVENTS, at -> true);
    SegmentEvent evicted =
        Tamper.with(
            Wire.SEGMENT_EVENT.decode(any.value()), "type", SegmentEventType.DEDUP_ENTRY_EVICTED);
    String hash = IdHash.of(decisionId).hex();
    evicted = Tamper.with(Tamper.with(evicted, "segment", segment), "seq", seq);
    evicted =
        Tamper.with(
            evicted,
            "decision",
            new JoinedDecision(null, hash, null, null, null, null, null, Map.of(), null, null));
    log.append(
        LogTopic.SEGMENT_EVENTS,
        MemoryLog.partitionOf(segment),
        Long.MAX_VALUE,
        MemoryLog.bytes(segment),
        Wire.SEGMENT_EVENT.encode(evicted));
  }

  private Verdict check() {
    VerifyOptions running =
        new VerifyOptions(
            false,
            AuditorTest.PLAIN.maxClockSkew(),
            AuditorTest.PLAIN.memoryBytes(),
            0,
            List.of(),
            AuditorTest.PLAIN.recovery(),
            null);
    List<Finding> findings = new Auditor(log, played.texts(), running).check();
    return TamperedLog.of(findings, Invariant.I2).verdict();
  }
}
