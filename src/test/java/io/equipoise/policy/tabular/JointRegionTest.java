package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.Tier;
import io.equipoise.policy.tabular.JointRegion.Cell;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Golden values, rules that any region keeps, and its miscoverage under a hostile policy. */
@Tag("slow")
class JointRegionTest {
  private static final double ALPHA = 0.05;
  private static final int RUNS = Tier.count(60, 2_000);
  private static final int LEAST_PLAYS = 20;
  private static final int STEPS = Tier.count(1_000, 2_000);

  private static JointCells cells(JointRegion region, double[] n, double[] s) {
    return new JointCells(
        IntStream.range(0, n.length)
            .mapToObj(i -> region.cell((long) n[i], n[i] == 0 ? 0 : s[i] / n[i]))
            .toArray(Cell[]::new));
  }

  private static double[] ends(JointRegion region, double[] c, JointCells cells) {
    double[] ends = new double[2];
    region.ends(c, cells, ends);
    return ends;
  }

  private static double[] negative(double[] c) {
    return Arrays.stream(c).map(x -> -x).toArray();
  }

  @Test
  void theEndsAreTheGoldenOnes() throws IOException {
    JsonNode golden = GoldenCells.read();
    for (String which : new String[] {"joint", "jointBeta", "jointMix"}) {
      for (JsonNode one : golden.get(which)) {
        double alpha = one.get("alpha").asDouble();
        double rho = JointRegion.tightest(-Math.log(alpha));
        JointRegion region =
            which.equals("jointMix")
                ? new JointRegion(0, 1, alpha, 1)
                : new JointRegion(0, 1, -Math.log(alpha), rho, 1);
        double[] c = GoldenCells.doubles(one.get("c"));
        double[] n = GoldenCells.doubles(one.get("n"));
        JointCells cells = cells(region, n, GoldenCells.doubles(one.get("S")));
        double found =
            switch (which) {
              case "joint" -> greater(new JointEnd(region, c, cells), false);
              case "jointBeta" -> greater(new JointEnd(region, c, cells), true);
              default -> region.size(c, cells, Double.NaN);
            };
        double wanted = one.get("upper").asDouble();
        assertEquals(wanted, found, 1e-9 * wanted, which + one);
        if (which.equals("joint")) {
          assertEquals(one.get("rho").asDouble(), rho, 1e-9 * rho);
        }
      }
    }
  }

  /** The golden ends are those of the size of an effect. */
  private static double greater(JointEnd end, boolean isBeta) {
    double whole = Double.POSITIVE_INFINITY;
    return isBeta
        ? Math.max(end.beta(1, whole, Double.NaN), end.beta(-1, whole, Double.NaN))
        : Math.max(end.gauss(1), end.gauss(-1));
  }

  /** Cells with rewards of 0, 1 and between, some without any, some with the same reward always. */
  private static double[][] random(SplittableRandom random) {
    int count = 1 + random.nextInt(8);
    double[] c = new double[count];
    double[] n = new double[count];
    double[] s = new double[count];
    for (int i = 0; i < count; i++) {
      c[i] = random.nextInt(5) == 0 ? 0 : random.nextDouble(-1, 1);
      n[i] = random.nextInt(6) == 0 ? 0 : 1 + random.nextInt(1 << random.nextInt(1, 14));
      double p = random.nextInt(3) / 2.0 * random.nextDouble();
      s[i] = random.nextInt(6) == 0 ? n[i] : Math.floor(n[i] * p);
    }
    return new double[][] {c, n, s};
  }

  @Test
  void theEndsHoldTheEstimateAndLieInTheRangeAndAreMirrored() {
    SplittableRandom random = new SplittableRandom(31);
    for (int trial = 0; trial < Tier.count(400, 3_000); trial++) {
      double[][] one = random(random);
      double[] c = one[0];
      String message = "trial " + trial + " of seed 31: " + Arrays.deepToString(one);
      JointRegion region = new JointRegion(0, 1, ALPHA, 1);
      JointCells cells = cells(region, one[1], one[2]);
      double[] ends = ends(region, c, cells);
      double[] mirrored = ends(new JointRegion(0, 1, ALPHA, 1), negative(c), cells);
      assertEquals(-ends[0], mirrored[1], 0.0, message);
      assertEquals(-ends[1], mirrored[0], 0.0, message);
      double least = Arrays.stream(c).filter(x -> x < 0).sum();
      double greatest = Arrays.stream(c).filter(x -> x > 0).sum();
      assertTrue(ends[0] >= least - 1e-12 && ends[1] <= greatest + 1e-12, message);
      double estimate = 0;
      for (int i = 0; i < c.length; i++) {
        estimate += one[1][i] == 0 ? 0 : c[i] * one[2][i] / one[1][i];
      }
      double unseenLeast =
          IntStream.range(0, c.length)
              .filter(i -> one[1][i] == 0)
              .mapToDouble(i -> Math.min(0, c[i]))
              .sum();
      assertTrue(ends[0] <= estimate + unseenLeast + 1e-12, message);
      double[] surer = ends(new JointRegion(0, 1, ALPHA / 10, 1), c, cells(region, one[1], one[2]));
      assertTrue(surer[0] <= ends[0] + 1e-2 && surer[1] >= ends[1] - 1e-2, message);
    }
  }

  @Test
  void anyThresholdGetsTheAnswerOfTheEnds() {
    SplittableRandom random = new SplittableRandom(32);
    for (int trial = 0; trial < Tier.count(400, 3_000); trial++) {
      double[][] one = random(random);
      double[] c = one[0];
      JointRegion region = new JointRegion(-3, 5, ALPHA, 1);
      for (int i = 0; i < c.length; i++) {
        one[2][i] = 8 * one[2][i] - 3 * one[1][i];
      }
      JointCells cells = cells(region, one[1], one[2]);
      double[] ends = ends(new JointRegion(-3, 5, ALPHA, 1), c, cells);
      double size = Math.max(Math.abs(ends[0]), Math.abs(ends[1]));
      double near = size * (1 + random.nextDouble(-1, 1) * Math.pow(10, -random.nextInt(17)));
      for (double threshold : new double[] {near, size, size * random.nextDouble(), 2 * size}) {
        double found = new JointRegion(-3, 5, ALPHA, 1).size(c, cells, threshold);
        String message = "trial " + trial + " of seed 32: " + threshold + " of " + size;
        assertEquals(size <= threshold, found <= threshold, message);
        double kept = region.size(c, cells, threshold);
        assertEquals(size <= threshold, kept <= threshold, message);
        kept = region.size(c, cells, threshold);
        assertEquals(size <= threshold, kept <= threshold, message);
      }
      assertEquals(size, region.size(c, cells, Double.NaN), 0.0);
    }
  }

  @Test
  void aPointMakesUpForAMeanThatCannotMoveAsFarAsTheThresholdNeeds() {
    JointRegion region = new JointRegion(0, 1, ALPHA, 1);
    JointCells cells = cells(region, new double[] {40, 40}, new double[] {1, 20});
    JointEnd end = new JointEnd(region, new double[] {-1, -0.5}, cells);
    double threshold = end.middle(1) + 0.5 * (end.end(1) - end.middle(1));
    double value = end.inside(1, threshold);
    assertTrue(value > threshold && value < end.end(1), () -> value + " for " + threshold);
  }

  @Test
  void theEndsScaleWithTheRange() {
    SplittableRandom random = new SplittableRandom(33);
    for (int trial = 0; trial < Tier.count(100, 500); trial++) {
      double[][] one = random(random);
      JointRegion plain = new JointRegion(0, 1, ALPHA, 1);
      JointRegion scaled = new JointRegion(2, 10, ALPHA, 1);
      double[] moved = one[2].clone();
      for (int i = 0; i < moved.length; i++) {
        moved[i] = 8 * moved[i] + 2 * one[1][i];
      }
      double[] ends = ends(plain, one[0], cells(plain, one[1], one[2]));
      double[] other = ends(scaled, one[0], cells(scaled, one[1], moved));
      double shift = 2 * Arrays.stream(one[0]).sum();
      assertEquals(8 * ends[0] + shift, other[0], 1e-7, "trial " + trial);
      assertEquals(8 * ends[1] + shift, other[1], 1e-7, "trial " + trial);
    }
  }

  @Test
  void mergedBlocksHaveTheEndsOfTheUnion() {
    SplittableRandom random = new SplittableRandom(34);
    double[] c = {.6, -.4, -.2};
    for (int trial = 0; trial < 200; trial++) {
      CellBlock[] parts = {new CellBlock(3), new CellBlock(3)};
      CellBlock union = new CellBlock(3);
      for (int n = random.nextInt(400); n > 0; n--) {
        int cell = random.nextInt(3);
        double reward = random.nextInt(3) / 2.0;
        parts[random.nextInt(2)].observe(cell, reward);
        union.observe(cell, reward);
      }
      parts[0].merge(parts[1]);
      JointRegion region = new JointRegion(0, 1, ALPHA, 3);
      double[] merged = ends(region, c, cells(region.limits(parts[0], 3, 1)));
      double[] whole = ends(region, c, cells(region.limits(union, 3, 1)));
      assertEquals(whole[0], merged[0], 1e-9);
      assertEquals(whole[1], merged[1], 1e-9);
    }
  }

  private static JointCells cells(CellLimits limits) {
    return new JointCells(limits.joint(0), limits.joint(1), limits.joint(2));
  }

  /** What a run found: whether the truth ever left the ends, and a region that pays no price. */
  private record Crossed(boolean isRegion, boolean isUnpaid) {}

  /**
   * Plays lucky cells no more: one whose mean is a standard error off in the direction that hurts
   * is left, so that its error stays. Ends once all are.
   */
  private static Crossed hostile(double[] c, double p, SplittableRandom random) {
    JointRegion region = new JointRegion(0, 1, ALPHA, c.length);
    double truth = p * Arrays.stream(c).sum();
    double[] n = new double[c.length];
    double[] s = new double[c.length];
    boolean isCrossed = false;
    boolean isUnpaid = false;
    for (int step = 0; step < STEPS; step++) {
      int played = -1;
      for (int i = 0; i < c.length; i++) {
        double off = Math.signum(c[i]) * (s[i] - n[i] * p) / Math.sqrt(n[i] * p * (1 - p));
        boolean isLucky = n[i] >= LEAST_PLAYS && off >= 1;
        played = !isLucky && (played < 0 || n[i] < n[played]) ? i : played;
      }
      if (played < 0) {
        break;
      }
      n[played]++;
      s[played] += random.nextDouble() < p ? 1 : 0;
      double[] ends = ends(region, c, cells(region, n, s));
      isCrossed |= ends[0] > truth || ends[1] < truth;
      double estimate = 0;
      double variance = 0;
      for (int i = 0; i < c.length; i++) {
        estimate += c[i] * (n[i] == 0 ? p : s[i] / n[i]);
        variance += c[i] * c[i] * p * (1 - p) / Math.max(1, n[i]);
      }
      isUnpaid |= Math.abs(estimate - truth) > Math.sqrt(2 * Math.log(2 / ALPHA) * variance);
    }
    return new Crossed(isCrossed, isUnpaid);
  }

  @Test
  void noPolicyThatStarvesLuckyCellsBreaksIt() {
    double[] c = new double[16];
    Arrays.setAll(c, i -> i % 2 == 0 ? .125 : -.125);
    for (double p : new double[] {.5, .05}) {
      SplittableRandom seeds = new SplittableRandom(35);
      int crossed = 0;
      int unpaid = 0;
      for (int run = 0; run < RUNS; run++) {
        Crossed one = hostile(c, p, seeds.split());
        crossed += one.isRegion() ? 1 : 0;
        unpaid += one.isUnpaid() ? 1 : 0;
      }
      String what = "cells: hostile runs that leave the ends at p " + p;
      Tier.foundShare(JointRegionTest.class, what, crossed, RUNS);
      Tier.foundShare(
          JointRegionTest.class, what + ", without the price of each cell", unpaid, RUNS);
      assertTrue(crossed <= ALPHA * RUNS, crossed + " of " + RUNS + " at p " + p);
      assertTrue(unpaid > 2 * ALPHA * RUNS, "the policy is harmless: " + unpaid);
    }
  }

  /**
   * Rewards until the effect 0 of two cells, rewarded in turn, is certified; median of some runs.
   */
  private static int rewardsToCertificate(double p, double tau) {
    SplittableRandom seeds = new SplittableRandom(36);
    int[] needed = new int[Tier.count(20, 50)];
    double[] c = {1, -1};
    for (int run = 0; run < needed.length; run++) {
      SplittableRandom random = seeds.split();
      JointRegion region = new JointRegion(0, 1, .05 / 18, 36);
      double[] n = new double[2];
      double[] s = new double[2];
      boolean isCertified = false;
      while (!isCertified) {
        for (int cell = 0; cell < 2; cell++) {
          n[cell]++;
          s[cell] += random.nextDouble() < p ? 1 : 0;
        }
        isCertified = region.size(c, cells(region, n, s), tau) <= tau;
      }
      needed[run] = (int) (n[0] + n[1]);
    }
    Arrays.sort(needed);
    return (needed[needed.length / 2 - 1] + needed[needed.length / 2]) / 2;
  }

  /** The region of docs/math/cells.md#the-joint-region, by rewards until certified. */
  @Test
  void aCertificateNeedsAsManyRewardsAsWereSpecified() {
    int rare = rewardsToCertificate(.05, .1);
    int even = rewardsToCertificate(.5, .1);
    Tier.found(JointRegionTest.class, "rewards to a certificate, .05 and .5", rare + ", " + even);
    assertEquals(731, rare, .15 * 731);
    assertEquals(2525, even, .15 * 2525);
  }
}
