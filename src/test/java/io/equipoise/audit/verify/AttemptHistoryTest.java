package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogTopic;
import io.equipoise.event.Outcome;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What later attempts have withdrawn, held against a look at each of them. */
class AttemptHistoryTest extends AttemptsFixture {
  private final Map<String, Map<Integer, Long>> firsts = new TreeMap<>();
  private int latest;

  private void note(String segment, int attempt, long seq) {
    if (seq == 0) {
      return; // of a segment that no spec covers
    }
    firsts.computeIfAbsent(segment, any -> new TreeMap<>()).merge(attempt, seq, Math::min);
    latest = Math.max(latest, attempt);
  }

  @Test
  void aChangeIsWithdrawnIfAnyLaterAttemptBeganAtItsSeqOrBefore() {
    valid()
        .forEach(it -> note(it.decision().segment(), it.decision().attempt(), it.decision().seq()));
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      log.records(LogTopic.OUTCOMES, partition).stream()
          .map(at -> (Outcome) TamperedLog.decode(at))
          .forEach(it -> note(it.segment(), it.attempt(), it.seq()));
    }
    assertTrue(latest > 10, latest + " attempts");
    firsts.forEach(this::assertWithdrawn);
  }

  private void assertWithdrawn(String segment, Map<Integer, Long> ofSegment) {
    for (int attempt = 0; attempt <= latest + 1; attempt++) {
      int after = attempt;
      for (long seq = 1; seq < 60; seq++) {
        long at = seq;
        boolean isAny =
            ofSegment.entrySet().stream()
                .anyMatch(it -> it.getKey() > after && it.getValue() <= at);
        assertEquals(
            isAny,
            history.isWithdrawn(segment, attempt, seq),
            "segment %s, attempt %d, seq %d".formatted(segment, attempt, seq));
      }
    }
  }
}
