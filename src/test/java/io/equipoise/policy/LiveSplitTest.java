package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.GapSplit;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.simulation.SegmentDriver;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A segment whose gap is 0, whose population has no direct effect, and in which every person is
 * treated differently by .2: S and Z share a hidden cause, the mean reward is .2 (S + Z - 2SZ) + .3
 * W.
 */
class LiveSplitTest {
  private static final int DECISIONS = Tier.count(8_000, 30_000);
  private static final String[] LEVELS = {"0", "1"};

  private static String spec(String split) {
    return TestSpec.spec()
        .variable("S", "sensitive", 2, ", missing: reject")
        .variable("Z", "context", 2)
        .variable("W", "context", 2)
        .variable("A", "action", 2)
        .graph("S <-> Z S -> R Z -> R W -> R A -> R")
        .reward("range: [0, 1]")
        .policy("name: ucb")
        .fairness("tau: 0.1, delta: 0.05" + split)
        .text()
        .replace("join:", "metrics: {every: 1000}\njoin:");
  }

  /** Plays a segment; returns the share of UNFAIR rows of the last thousand decisions. */
  private static double play(SegmentDriver driver, int decisions) {
    SplittableRandom random = new SplittableRandom(11);
    int unfair = 0;
    for (int t = 0; t < decisions; t++) {
      int z = random.nextInt(2);
      int s = random.nextDouble() < .58675808 ? z : 1 - z;
      int w = random.nextDouble() < .3 ? 1 : 0;
      driver.ask("d" + t, Map.of("S", LEVELS[s], "Z", LEVELS[z], "W", LEVELS[w]));
      if (t >= decisions - 1_000) {
        unfair +=
            (int)
                driver.audits().stream().filter(it -> it.verdict() == AuditVerdict.UNFAIR).count();
      }
      double mean = .2 * (s + z - 2 * s * z) + .3 * w;
      driver.reward("d" + t, 1, random.nextDouble() < mean ? 1 : 0, Map.of());
    }
    return unfair / 1_000.0;
  }

  @Test
  void aGapOfZeroHidesThatEveryPersonIsTreatedDifferently() {
    SegmentDriver driver = new SegmentDriver(spec(", split: all")).keepingMetrics();
    double unfair = play(driver, DECISIONS);
    SegmentMetrics metrics = driver.metrics();
    assertNotNull(metrics);
    GapSplit split = metrics.splits().get(0);
    assertTrue(split.gap().lower() <= 0 && split.gap().upper() >= 0, split.toString());
    assertEquals(.0347, split.parts().get(2).estimate(), .03, "direct");
    assertEquals(-.0347, split.parts().get(0).estimate(), .03, "spurious");
    Tier.found(getClass(), "the audit's UNFAIR share where the gap is 0", unfair);
    assertTrue(unfair > Tier.count(40, 80) / 100.0, unfair + " unfair");
  }

  @Test
  void theSplitChangesNothingButTheMetrics() {
    SegmentDriver with = new SegmentDriver(spec(", split: all")).keepingMetrics();
    SegmentDriver without = new SegmentDriver(spec("")).keepingMetrics();
    play(with, 1_000);
    play(without, 1_000);
    SegmentMetrics one = with.metrics();
    SegmentMetrics other = without.metrics();
    assertNotNull(one);
    assertNotNull(other);
    assertEquals(List.of(), other.splits());
    assertEquals(other.arms(), one.arms());
    assertEquals(other.fairness(), one.fairness());
    assertEquals(other.groups(), one.groups());
  }
}
