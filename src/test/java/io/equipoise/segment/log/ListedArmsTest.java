package io.equipoise.segment.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ArmShare;
import io.equipoise.event.ArmShares;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.segment.Scenario;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.SegmentHeader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A snapshot of a segment with any number of arms fits its topic, and says what it leaves out. */
class ListedArmsTest {
  private static final int ARMS = 40_000;
  private static final int LEAST_ROOM = 64 << 10;

  private final Scenario scenario =
      Scenario.under(TestSpecs.ucb().replace("{every: 10}", "{every: 1}"));

  @Test
  void whatFitsIsToldInTheOrderOfThePositions() {
    SegmentHeader head = new SegmentHeader();
    for (String arm : List.of("often", "never", "é")) {
      head.positionOf(arm);
    }
    head.armDecisions.set(0, 9L);
    head.armDecisions.set(2, 1L);
    assertEquals(
        new ArmShares(
            List.of(new ArmShare("often", 9), new ArmShare("never", 0), new ArmShare("é", 1)),
            0,
            0),
        ListedArms.of(head));
  }

  @Test
  void ofTooManyArmsThoseDecidedMostOftenAreTold() {
    SegmentHeader head = new SegmentHeader();
    int length = 30;
    for (int arm = 0; arm < ARMS; arm++) {
      head.armDecisions.set(head.positionOf(id(arm, length)), (long) (arm % 100));
    }
    ArmShares shares = ListedArms.of(head);
    int fitting = ListedArms.MOST_BYTES / (length + 12);
    assertEquals(fitting, shares.listed().size());
    assertEquals(ARMS - fitting, shares.leftOut());
    List<Integer> expected = new ArrayList<>();
    for (int decisions = 99; decisions >= 0; decisions--) {
      for (int arm = decisions; arm < ARMS && expected.size() < fitting; arm += 100) {
        expected.add(arm);
      }
    }
    expected.sort(null);
    assertEquals(
        expected.stream().map(arm -> new ArmShare(id(arm, length), arm % 100)).toList(),
        shares.listed());
    long all = head.armDecisions.stream().mapToLong(Long::longValue).sum();
    long listed = shares.listed().stream().mapToLong(ArmShare::decisions).sum();
    assertEquals(all - listed, shares.decisionsLeftOut());
  }

  @Test
  void aSnapshotWithTheLongestIdsFitsTheSmallestTopic() {
    scenario.context("d1", 0);
    SegmentHeader head = scenario.head();
    for (int arm = 0; arm < 1_000; arm++) {
      head.positionOf("\u20ac".repeat(250) + id(arm, 6));
    }
    scenario.state.putHead(head);
    scenario.context("d2", 1);
    SegmentMetrics last = scenario.log.metrics.get(scenario.log.metrics.size() - 1);
    int bytes = Wire.METRICS.encode(last).length;
    assertTrue(bytes < LEAST_ROOM, bytes + " bytes");
    assertEquals(1_001, last.arms().listed().size() + last.arms().leftOut());
    assertEquals(new ArmShare("A=left", 2), last.arms().listed().get(0));
    assertEquals(0, last.arms().decisionsLeftOut());
  }

  private static String id(int arm, int length) {
    return ("%0" + length + "d").formatted(arm);
  }
}
