package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.HeldQuery;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DistributionErrorTest {
  private static final Variable A = new Variable("A", List.of("a", "b"));
  private static final Variable M = new Variable("M", List.of("0", "1", "2"));
  private static final Variable N = new Variable("N", List.of("0", "1"));

  @Test
  void aRowOfTwoLevelsHasTheErrorOfTheTheorem() {
    Cpt cpt = Cpt.estimated(N, List.of(A), new long[] {60, 40, 0, 0});
    DistributionError error = new DistributionError(List.of(cpt), .1);
    double expected = Math.sqrt(2 * (Math.log(2) + Math.log(2 / (.8 * .1))) / 100);
    assertEquals(expected, error.of(cpt, 0), 1e-12);
    assertEquals(1, error.growth(0));
    double third = Math.sqrt(2 * (Math.log(2) + Math.log(2 / (.1 / 30))) / 100);
    assertEquals(third, error.of(cpt, 0) * error.growth(2), 1e-12, "a share of 1/30");
    assertEquals(2, error.of(cpt, 1), "nothing is known of a row without an observation");
    assertEquals(.6, cpt.probability(new int[] {0}, 0));
    assertEquals(.5, cpt.probability(new int[] {1}, 0));
    Cpt exact = new Cpt(N, List.of(), new double[] {.5, .5});
    assertEquals(0, error.of(exact, 0));
  }

  @Test
  void manyLevelsDoNotOverflow() {
    List<String> names = new ArrayList<>();
    for (int level = 0; level < 2_000; level++) {
      names.add("l" + level);
    }
    Variable wide = new Variable("W", names);
    long[] counts = new long[2_000];
    counts[7] = 1_000_000_000;
    Cpt cpt = Cpt.estimated(wide, List.of(), counts);
    double error = new DistributionError(List.of(cpt), .05).of(cpt, 0);
    assertEquals(
        Math.sqrt(2 * (2_000 * Math.log(2) + Math.log(1 / (.8 * .05))) / 1e9), error, 1e-12);
  }

  @Test
  void theJointDistributionOfTwoEstimatedTablesIsWithinTheErrorAsOftenAsPromised() {
    SplittableRandom random = new SplittableRandom(20);
    double delta = .2;
    int missed = 0;
    double widest = 0;
    int trials = 2_000;
    for (int trial = 0; trial < trials; trial++) {
      double[] m = {.6, .3, .1, .2, .2, .6};
      double[] n = {.9, .1, .5, .5, .3, .7};
      Cpt trueM = new Cpt(M, List.of(A), m);
      Cpt trueN = new Cpt(N, List.of(M), n);
      Cpt countedM = Cpt.estimated(M, List.of(A), counts(m, 3, 40, random));
      Cpt countedN = Cpt.estimated(N, List.of(M), counts(n, 2, 40, random));
      HeldQuery truth =
          KnownDistributions.of(List.of(trueM, trueN)).query(List.of("M", "N"), List.of("A"));
      HeldQuery estimate =
          KnownDistributions.of(List.of(countedM, countedN)).query(List.of("M", "N"), List.of("A"));
      DistributionError error = new DistributionError(estimate.tables(), delta);
      boolean isMissed = false;
      for (int a = 0; a < 2; a++) {
        double[] p = truth.distribution(new int[] {a});
        double[] q = estimate.distribution(new int[] {a});
        double distance = 0;
        for (int cell = 0; cell < p.length; cell++) {
          distance += Math.abs(p[cell] - q[cell]);
        }
        double bound = estimate.error(new int[] {a}, error);
        widest = Math.max(widest, distance / bound);
        isMissed |= distance > bound;
      }
      missed += isMissed ? 1 : 0;
    }
    assertTrue(missed <= delta * trials, missed + " of " + trials + ", seed 20");
    assertTrue(widest > .4, "the bound is not idle: " + widest);
  }

  private static long[] counts(double[] table, int size, int each, SplittableRandom random) {
    long[] counts = new long[table.length];
    for (int row = 0; row < table.length; row += size) {
      for (int i = 0; i < each; i++) {
        double u = random.nextDouble();
        int level = 0;
        while (level < size - 1 && u >= table[row + level]) {
          u -= table[row + level];
          level++;
        }
        counts[row + level]++;
      }
    }
    return counts;
  }
}
