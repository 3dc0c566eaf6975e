package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditGuarantee;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Holds every sequence to its miscoverage: the share of runs in which the mean ever left its
 * limits.
 */
@Tag("slow")
class ConfidenceSequenceTest {
  private static final double ALPHA = 0.05;
  private static final int STEPS = 2000;
  private static final int RUNS = Tier.count(2000, 20_000);

  /** Returns the share of runs with any violation, with wide limits so that nothing is clipped. */
  private static double missed(
      ConfidenceSequence sequence, double mean, ToDoubleFunction<SplittableRandom> reward) {
    SplittableRandom seeds = new SplittableRandom(20260101);
    int missed = 0;
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = seeds.split();
      CellBlock block = new CellBlock(1, sequence.needsSums());
      boolean isMissed = false;
      for (int n = 1; n <= STEPS && !isMissed; n++) {
        sequence.observe(block, 0, reward.applyAsDouble(random));
        isMissed = sequence.lower(block, 0, n) > mean || sequence.upper(block, 0, n) < mean;
      }
      missed += isMissed ? 1 : 0;
    }
    return (double) missed / RUNS;
  }

  private static void assertCovers(String what, double missed) {
    Tier.found(ConfidenceSequenceTest.class, what + ": runs of " + STEPS + " ever missed", missed);
    double threeStandardErrors = 3 * Math.sqrt(ALPHA * (1 - ALPHA) / RUNS);
    assertTrue(missed <= ALPHA + threeStandardErrors, "missed in " + missed + " of the runs");
  }

  private static ToDoubleFunction<SplittableRandom> bernoulli(double p) {
    return random -> random.nextDouble() < p ? 1 : 0;
  }

  private static ToDoubleFunction<SplittableRandom> gaussian(double mean, double sd) {
    return random -> random.nextGaussian(mean, sd);
  }

  @Test
  void subGaussianLimitsHoldAtAllTimesForGaussianRewards() {
    double missed = missed(new SubGaussian(-9, 9, .3, ALPHA), .4, gaussian(.4, .3));
    assertCovers("sub-Gaussian, Gaussian rewards", missed);
    assertTrue(missed > ALPHA / 20, "so wide that it is no test: " + missed);
  }

  @Test
  void subGaussianLimitsHoldAtAllTimesForBernoulliRewards() {
    SubGaussian sequence = new SubGaussian(0, 1, .5, ALPHA);
    assertCovers("sub-Gaussian, Bernoulli .5", missed(sequence, .5, bernoulli(.5)));
    assertCovers("sub-Gaussian, Bernoulli .05", missed(sequence, .05, bernoulli(.05)));
  }

  @Test
  void tooSmallAScaleIsCaught() {
    double missed = missed(new SubGaussian(-9, 9, .2, ALPHA), .4, gaussian(.4, .3));
    assertTrue(missed > 2 * ALPHA, "missed in only " + missed);
  }

  @Test
  void empiricalBernsteinLimitsHoldAtAllTimesForBernoulliRewards() {
    EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(0, 1, ALPHA);
    double missed = missed(sequence, .5, bernoulli(.5));
    assertCovers("empirical-Bernstein, Bernoulli .5", missed);
    assertTrue(missed > ALPHA / 20, "so wide that it is no test: " + missed);
    assertCovers("empirical-Bernstein, Bernoulli .05", missed(sequence, .05, bernoulli(.05)));
    assertCovers("empirical-Bernstein, Bernoulli .9", missed(sequence, .9, bernoulli(.9)));
  }

  @Test
  void empiricalBernsteinLimitsHoldInAnyRange() {
    EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(-2, 6, ALPHA);
    assertCovers(
        "empirical-Bernstein, uniform on [-2, 6]",
        missed(sequence, 2, random -> 8 * random.nextDouble() - 2));
  }

  @Test
  void empiricalBernsteinIsSharperWhereTheVarianceIsSmall() {
    EmpiricalBernsteinSequence bernstein = new EmpiricalBernsteinSequence(0, 1, ALPHA);
    SubGaussian hoeffding = new SubGaussian(0, 1, .5, ALPHA);
    CellBlock block = new CellBlock(1, true);
    for (int i = 0; i < 2000; i++) {
      bernstein.observe(block, 0, i % 2 == 0 ? .48 : .52);
    }
    double sharp = bernstein.upper(block, 0, 1) - bernstein.lower(block, 0, 1);
    double blunt = hoeffding.upper(block, 0, 1) - hoeffding.lower(block, 0, 1);
    assertTrue(sharp < blunt / 3, sharp + " against " + blunt);
    assertTrue(bernstein.lower(block, 0, 1) < .5 && bernstein.upper(block, 0, 1) > .5);
  }

  @Test
  void theNormalMixtureEqualsItsFormula() {
    CellBlock block = new CellBlock(1, false);
    block.observe(0, 0);
    block.observe(0, 0);
    double scale = .3;
    double log = 2 * Math.log(1 / ALPHA);
    double rho = 500 / (log + Math.log(1 + log)) * scale * scale;
    double v = 2 * scale * scale;
    double boundary = Math.sqrt((v + rho) * Math.log((v + rho) / (ALPHA * ALPHA * rho)));
    assertEquals(boundary / 2, new SubGaussian(-9, 9, scale, ALPHA).radius(block, 0, 1), 1e-12);
  }

  @Test
  void theBernsteinSumsEqualANaiveRecomputation() {
    EmpiricalBernsteinSequence sequence = new EmpiricalBernsteinSequence(0, 1, ALPHA);
    double[] x = {.2, 1, 0, .7, .7, .3};
    CellBlock block = new CellBlock(1, true);
    double[] lambda = new double[x.length];
    double lambdaSum = 0;
    double lambdaX = 0;
    double vPsi = 0;
    for (int i = 0; i < x.length; i++) {
      sequence.observe(block, 0, x[i]);
      double squares = .25;
      for (int j = 0; j < i; j++) {
        double meanUpToJ = .5;
        for (int k = 0; k <= j; k++) {
          meanUpToJ += x[k];
        }
        squares += Math.pow(x[j] - meanUpToJ / (j + 2), 2);
      }
      double meanBefore = .5;
      for (int k = 0; k < i; k++) {
        meanBefore += x[k];
      }
      double variance = squares / (i + 1);
      double log = Math.log(2 / ALPHA);
      lambda[i] = Math.min(.5, Math.sqrt(2 * log / (variance * (i + 1) * Math.log(i + 2))));
      lambdaSum += lambda[i];
      lambdaX += lambda[i] * x[i];
      double v = 4 * Math.pow(x[i] - meanBefore / (i + 1), 2);
      vPsi += v * (-Math.log(1 - lambda[i]) - lambda[i]) / 4;
    }
    assertEquals(lambdaX / lambdaSum, sequence.center(block, 0), 1e-12);
    double radius = (Math.log(2 / ALPHA) + vPsi) / lambdaSum;
    assertEquals(radius, sequence.radius(block, 0, 1), 1e-12);
  }

  @Test
  void thePaperUsesTwoLogOfTimeAndNeverOfOne() {
    CellBlock block = new CellBlock(1, false);
    block.observe(0, .5);
    block.observe(0, .5);
    PerRoundConfidence perRoundConfidence = new PerRoundConfidence(-9, 9, .18);
    assertEquals(
        .18 * Math.sqrt(4 * Math.log(100) / 2), perRoundConfidence.radius(block, 0, 100), 1e-15);
    assertEquals(2 * StrictMath.log(2), PerRoundConfidence.logTerm(1));
    assertEquals(2 * StrictMath.log(2), PerRoundConfidence.logTerm(2));
    assertEquals(AuditGuarantee.PER_ROUND, perRoundConfidence.guarantee());
  }

  @Test
  void limitsAreClippedToTheRangeAndNothingSeenIsTheWholeRange() {
    PerRoundConfidence perRoundConfidence = new PerRoundConfidence(.1, 1, .18);
    CellBlock block = new CellBlock(2, false);
    block.observe(0, 1.7);
    assertEquals(1, perRoundConfidence.upper(block, 0, 5000));
    assertEquals(.1, perRoundConfidence.lower(block, 1, 1));
    assertEquals(1, perRoundConfidence.upper(block, 1, 1));
    for (int i = 0; i < 99_999; i++) {
      block.observe(0, 1.7);
    }
    assertEquals(
        1, perRoundConfidence.lower(block, 0, 1), "noise beyond the range keeps lower <= upper");
  }
}
