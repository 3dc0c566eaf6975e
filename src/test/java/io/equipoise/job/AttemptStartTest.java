package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.AttemptMarker;
import io.equipoise.join.disclosure.KeyRing;
import io.equipoise.join.disclosure.Revealer;
import java.util.List;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;

/** Attempts that meet another one where they begin. */
class AttemptStartTest {
  private static final Revealer PLAIN = new Revealer(KeyRing.none());
  private static final int MAX_PARALLELISM = SegmentHarness.MAX_PARALLELISM;
  private static final MemorySize MEMORY = MemorySize.ofMebiBytes(1);

  private final MemoryDecisions log = new MemoryDecisions();

  @Test
  void anAttemptGivesWayToOneThatBeginsAtTheSameTime() {
    AttemptMarker all = new AttemptMarker(0, 0, MAX_PARALLELISM - 1, "run", 1);
    MemoryDecisions contested =
        new MemoryDecisions() {
          @Override
          public long[] append(AttemptMarker marker) {
            super.append(new AttemptMarker(marker.attempt(), 7, 7));
            return super.append(marker);
          }
        };
    assertThrows(
        AttemptOverException.class,
        () ->
            new AttemptStart(contested, all, MAX_PARALLELISM, MEMORY, PLAIN)
                .begin(List.of(), false));
    AttemptStart.Begun next =
        new AttemptStart(log, all, MAX_PARALLELISM, MEMORY, PLAIN).begin(List.of(), false);
    assertEquals(1, next.attempt());
    log.records.addAll(contested.records);
    assertEquals(
        2,
        new AttemptStart(log, all, MAX_PARALLELISM, MEMORY, PLAIN)
            .begin(List.of(), false)
            .attempt());
  }

  /** A process that was frozen before it began must not end the one that took its place. */
  @Test
  void anExecutionThatIsNotWantedAnyMoreGivesWay() {
    AttemptMarker earlier = new AttemptMarker(0, 0, MAX_PARALLELISM - 1, "run", 1);
    AttemptMarker later = new AttemptMarker(0, 0, MAX_PARALLELISM - 1, "run", 2);
    AttemptMarker other = new AttemptMarker(0, 0, MAX_PARALLELISM - 1, "another run", 0);
    new AttemptStart(log, later, MAX_PARALLELISM, MEMORY, PLAIN).begin(List.of(), false);
    assertThrows(
        AttemptOverException.class,
        () ->
            new AttemptStart(log, earlier, MAX_PARALLELISM, MEMORY, PLAIN).begin(List.of(), false));
    assertEquals(1, log.records.size());
    new AttemptStart(log, other, MAX_PARALLELISM, MEMORY, PLAIN).begin(List.of(), false);
    assertEquals(2, log.records.size());
  }
}
