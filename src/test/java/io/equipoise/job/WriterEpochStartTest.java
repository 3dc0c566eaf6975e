package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.WriterEpochMarker;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.Unredactor;
import java.util.List;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;

/** Attempts that meet another one where they begin. */
class WriterEpochStartTest {
  private static final Unredactor PLAIN = new Unredactor(KeyRing.none());
  private static final int MAX_PARALLELISM = SegmentHarness.MAX_PARALLELISM;
  private static final MemorySize MEMORY = MemorySize.ofMebiBytes(1);

  private final MemoryDecisions log = new MemoryDecisions();

  @Test
  void aWriterEpochGivesWayToOneThatBeginsAtTheSameTime() {
    WriterEpochMarker all = new WriterEpochMarker(0, 0, MAX_PARALLELISM - 1, "run", 1);
    MemoryDecisions contested =
        new MemoryDecisions() {
          @Override
          public long[] append(WriterEpochMarker marker) {
            super.append(new WriterEpochMarker(marker.writerEpoch(), 7, 7));
            return super.append(marker);
          }
        };
    assertThrows(
        WriterEpochEndedException.class,
        () ->
            new WriterEpochStart(contested, all, MAX_PARALLELISM, MEMORY, PLAIN)
                .begin(List.of(), false));
    WriterEpochStart.Begun next =
        new WriterEpochStart(log, all, MAX_PARALLELISM, MEMORY, PLAIN).begin(List.of(), false);
    assertEquals(1, next.writerEpoch());
    log.records.addAll(contested.records);
    assertEquals(
        2,
        new WriterEpochStart(log, all, MAX_PARALLELISM, MEMORY, PLAIN)
            .begin(List.of(), false)
            .writerEpoch());
  }

  /** A process that was frozen before it began must not end the one that took its place. */
  @Test
  void anExecutionThatIsNotWantedAnyMoreGivesWay() {
    WriterEpochMarker earlier = new WriterEpochMarker(0, 0, MAX_PARALLELISM - 1, "run", 1);
    WriterEpochMarker later = new WriterEpochMarker(0, 0, MAX_PARALLELISM - 1, "run", 2);
    WriterEpochMarker other = new WriterEpochMarker(0, 0, MAX_PARALLELISM - 1, "another run", 0);
    new WriterEpochStart(log, later, MAX_PARALLELISM, MEMORY, PLAIN).begin(List.of(), false);
    assertThrows(
        WriterEpochEndedException.class,
        () ->
            new WriterEpochStart(log, earlier, MAX_PARALLELISM, MEMORY, PLAIN)
                .begin(List.of(), false));
    assertEquals(1, log.records.size());
    new WriterEpochStart(log, other, MAX_PARALLELISM, MEMORY, PLAIN).begin(List.of(), false);
    assertEquals(2, log.records.size());
  }
}
