package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.LogTopic;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentEvent;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What later attempts have withdrawn, held against a look at each of them. */
class WriterEpochHistoryTest extends WriterEpochsFixture {
  private final Map<String, Map<Integer, Long>> firsts = new TreeMap<>();
  private int latest;

  private void note(String segment, int writerEpoch, long seq) {
    if (seq == 0) {
      return; // of a segment that no spec covers
    }
    firsts.computeIfAbsent(segment, any -> new TreeMap<>()).merge(writerEpoch, seq, Math::min);
    latest = Math.max(latest, writerEpoch);
  }

  @Test
  void aChangeIsWithdrawnIfAnyLaterWriterEpochBeganAtItsSeqOrBefore() {
    valid()
        .forEach(
            it -> note(it.decision().segment(), it.decision().writerEpoch(), it.decision().seq()));
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      log.records(LogTopic.SEGMENT_EVENTS, partition).stream()
          .map(at -> (SegmentEvent) TamperedLog.decode(at))
          .forEach(it -> note(it.segment(), it.writerEpoch(), it.seq()));
    }
    assertTrue(latest > 10, latest + " attempts");
    firsts.forEach(this::assertWithdrawn);
  }

  private void assertWithdrawn(String segment, Map<Integer, Long> ofSegment) {
    for (int writerEpoch = 0; writerEpoch <= latest + 1; writerEpoch++) {
      int after = writerEpoch;
      for (long seq = 1; seq < 60; seq++) {
        long at = seq;
        boolean isAny =
            ofSegment.entrySet().stream()
                .anyMatch(it -> it.getKey() > after && it.getValue() <= at);
        assertEquals(
            isAny,
            history.isWithdrawn(new Place(segment, writerEpoch, seq)),
            "segment %s, attempt %d, seq %d".formatted(segment, writerEpoch, seq));
      }
    }
  }
}
