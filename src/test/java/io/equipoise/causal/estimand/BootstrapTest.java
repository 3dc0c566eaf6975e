package io.equipoise.causal.estimand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.DistributionException;
import io.equipoise.causal.Variable;
import io.equipoise.causal.estimand.Bootstrap.PercentileInterval;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BootstrapTest {
  private static final Variable X = new Variable("X", List.of("0", "1"));
  private static final Variable Z = new Variable("Z", List.of("0", "1"));
  private static final Variable Y = new Variable("Y", List.of("0", "1"));
  private static final Estimand BACK_DOOR = EstimandParser.parse("Σ_Z P(Z) P(Y|X,Z)");
  private static final Map<String, Integer> POINT = Map.of("X", 1, "Y", 1);

  /** P(Z=1), P(X=1|Z), P(Y=1|X,Z). */
  private static double truth() {
    return .6 * .3 + .4 * .8;
  }

  private static ContingencyTable rows(int count, SplittableRandom random) {
    TreeMap<Long, Long> cells = new TreeMap<>();
    for (int row = 0; row < count; row++) {
      int z = random.nextDouble() < .4 ? 1 : 0;
      int x = random.nextDouble() < (z == 1 ? .7 : .2) ? 1 : 0;
      double p = x == 0 ? .5 : z == 1 ? .8 : .3;
      int y = random.nextDouble() < p ? 1 : 0;
      cells.merge(4L * x + 2L * z + y, 1L, Long::sum);
    }
    return ContingencyTable.of(List.of(X, Z, Y), cells);
  }

  @Test
  void intervalsHoldTheEffectAboutAsOftenAsTheyShould() {
    SplittableRandom random = new SplittableRandom(21);
    int trials = Tier.count(40, 1_000);
    int missed = 0;
    double length = 0;
    for (int trial = 0; trial < trials; trial++) {
      ObservedValues observedValues = ObservedValues.unselected(rows(800, random));
      PercentileInterval interval =
          new Bootstrap(200, .1, trial).intervals(BACK_DOOR, observedValues, List.of(POINT)).get(0);
      missed += interval.low() <= truth() && truth() <= interval.high() ? 0 : 1;
      length += (interval.high() - interval.low()) / trials;
    }
    Tier.found(BootstrapTest.class, "missed of " + trials + " at .1", missed);
    assertTrue(missed <= .1 * trials + 3 * Math.sqrt(.09 * trials) + 1, missed + ", seed 21");
    assertTrue(length > .05 && length < .2, "mean length " + length);
  }

  @Test
  void equalSeedsGiveEqualIntervals() {
    ObservedValues observedValues = ObservedValues.unselected(rows(500, new SplittableRandom(22)));
    List<PercentileInterval> one =
        new Bootstrap(60, .05, 7).intervals(BACK_DOOR, observedValues, List.of(POINT));
    assertEquals(
        one, new Bootstrap(60, .05, 7).intervals(BACK_DOOR, observedValues, List.of(POINT)));
    assertTrue(
        !one.equals(
            new Bootstrap(60, .05, 8).intervals(BACK_DOOR, observedValues, List.of(POINT))));
  }

  @Test
  void whereReplicatesOftenLackRowsNothingIsClaimed() {
    ContingencyTable cells =
        ContingencyTable.of(List.of(X, Z, Y), Map.of(0L, 40L, 4L, 30L, 2L, 20L, 7L, 1L));
    PercentileInterval interval =
        new Bootstrap(100, .05, 1)
            .intervals(BACK_DOOR, ObservedValues.unselected(cells), List.of(POINT))
            .get(0);
    assertEquals(0, interval.low());
    assertEquals(1, interval.high());
    assertTrue(interval.unsupported() > 20, "a single row is in some two thirds of replicates");
  }

  @Test
  void weightsAndTooFewReplicatesAreRefused() {
    ContingencyTable weighed =
        ContingencyTable.dense(List.of(X, Z, Y), new double[] {.5, .5, 1, 1, 2, 2, 3, 3});
    Bootstrap bootstrap = new Bootstrap(100, .05, 1);
    assertThrows(
        DistributionException.class,
        () -> bootstrap.intervals(BACK_DOOR, ObservedValues.unselected(weighed), List.of(POINT)));
    assertThrows(IllegalArgumentException.class, () -> new Bootstrap(30, .05, 1));
  }
}
