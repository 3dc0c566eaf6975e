package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.Tier;
import io.equipoise.event.AuditGuarantee;
import java.io.IOException;
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
  private static final int RUNS = Tier.count(500, 20_000);
  private static final int BETA_RUNS = Tier.count(100, 4_000);

  /** Returns the share of runs with any violation, with wide limits so that nothing is clipped. */
  private static double missed(
      ConfidenceSequence sequence, double mean, ToDoubleFunction<SplittableRandom> reward) {
    SplittableRandom seeds = new SplittableRandom(20260101);
    int missed = 0;
    for (int run = 0; run < RUNS; run++) {
      SplittableRandom random = seeds.split();
      CellBlock block = new CellBlock(1);
      boolean isMissed = false;
      for (int n = 1; n <= STEPS && !isMissed; n++) {
        block.observe(0, reward.applyAsDouble(random));
        isMissed = sequence.lower(block, 0, n) > mean || sequence.upper(block, 0, n) < mean;
      }
      missed += isMissed ? 1 : 0;
    }
    return (double) missed / RUNS;
  }

  private static void assertCovers(String what, double missed) {
    assertCovers(what, missed, RUNS);
  }

  private static void assertCovers(String what, double missed, int runs) {
    Tier.found(ConfidenceSequenceTest.class, what + ": runs of " + STEPS + " ever missed", missed);
    double threeStandardErrors = 3 * Math.sqrt(ALPHA * (1 - ALPHA) / runs);
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

  /** Returns the share of runs in which a mean was ever outside of the limits. */
  private static double missed(
      BetaMixture sequence, double mean, ToDoubleFunction<SplittableRandom> reward) {
    SplittableRandom seeds = new SplittableRandom(20260101);
    int missed = 0;
    for (int run = 0; run < BETA_RUNS; run++) {
      SplittableRandom random = seeds.split();
      double sum = 0;
      boolean isMissed = false;
      for (int n = 1; n <= STEPS && !isMissed; n++) {
        sum += reward.applyAsDouble(random);
        isMissed = sequence.logWealth(n, sum, mean) >= -Math.log(ALPHA);
      }
      missed += isMissed ? 1 : 0;
    }
    return (double) missed / BETA_RUNS;
  }

  @Test
  void betaMixturesHoldAtAllTimes() {
    BetaMixture sequence = new BetaMixture(0, 1, ALPHA);
    double missed = missed(sequence, .5, bernoulli(.5));
    assertCovers("Beta mixtures, Bernoulli .5", missed, BETA_RUNS);
    assertTrue(missed > ALPHA / 20, "so wide that it is no test: " + missed);
    double rare = missed(sequence, .05, bernoulli(.05));
    assertCovers("Beta mixtures, Bernoulli .05", rare, BETA_RUNS);
    double uniform = missed(sequence, .5, SplittableRandom::nextDouble);
    assertCovers("Beta mixtures, uniform on [0, 1]", uniform, BETA_RUNS);
    assertTrue(missed(sequence, .45, bernoulli(.5)) > .5, "a wrong mean is found out");
  }

  /** The golden intervals are those of the null-centered mixture alone. */
  @Test
  void nullCenteredMixturesAreTheGoldenOnes() throws IOException {
    JsonNode golden = GoldenCells.read();
    for (JsonNode cell : golden.get("cell")) {
      for (int side = 0; side < 2; side++) {
        double wanted = cell.get("interval").get(side).asDouble();
        assertEquals(wanted, nullCenteredEnd(cell, side), 1e-9 * wanted, cell::toString);
      }
    }
    for (JsonNode one : golden.get("logWealth")) {
      double log =
          BetaMixture.logNullCentered(
              one.get("n").asDouble(),
              one.get("S").asDouble(),
              one.get("mu").asDouble(),
              one.get("kappa").asDouble());
      double wanted = one.get("log").asDouble();
      assertEquals(wanted, log, 1e-9 * Math.abs(wanted), one::toString);
    }
  }

  private static double nullCenteredEnd(JsonNode cell, int side) {
    double n = cell.get("n").asDouble();
    double s = cell.get("S").asDouble();
    double limit = -Math.log(cell.get("alpha").asDouble());
    double inner = s / n;
    double outer = side;
    for (int i = 0; i < 60 && inner != outer; i++) {
      double middle = (inner + outer) / 2;
      boolean isIn =
          BetaMixture.logNullCentered(n, s, middle, cell.get("kappa").asDouble()) < limit;
      inner = isIn ? middle : inner;
      outer = isIn ? outer : middle;
    }
    return outer;
  }

  @Test
  void betaMixturesEndWhereTheWealthIsOneOverAlpha() {
    CellBlock block = new CellBlock(1);
    for (int i = 0; i < 50; i++) {
      block.observe(0, i % 4 == 0 ? 1 : 0);
    }
    BetaMixture sequence = new BetaMixture(0, 1, ALPHA);
    double logs = -Math.log(ALPHA);
    assertEquals(logs, sequence.logWealth(50, 13, sequence.lower(block, 0, 1)), 1e-9);
    assertEquals(logs, sequence.logWealth(50, 13, sequence.upper(block, 0, 1)), 1e-9);
  }

  @Test
  void betaMixturesScaleWithTheRangeAndKeepTheMeanBetweenTheirEnds() {
    SplittableRandom random = new SplittableRandom(8);
    for (int trial = 0; trial < 300; trial++) {
      CellBlock plain = new CellBlock(1);
      CellBlock scaled = new CellBlock(1);
      for (int n = 1 + random.nextInt(60); n > 0; n--) {
        double x = random.nextInt(5) / 4.0;
        plain.observe(0, x);
        scaled.observe(0, 8 * x - 2);
      }
      BetaMixture sequence = new BetaMixture(0, 1, ALPHA);
      BetaMixture other = new BetaMixture(-2, 6, ALPHA);
      double lower = sequence.lower(plain, 0, 1);
      double upper = sequence.upper(plain, 0, 1);
      assertEquals(8 * lower - 2, other.lower(scaled, 0, 1), 1e-9);
      assertEquals(8 * upper - 2, other.upper(scaled, 0, 1), 1e-9);
      assertTrue(lower <= plain.mean(0) && plain.mean(0) <= upper, "trial " + trial);
    }
  }

  @Test
  void theNormalMixtureEqualsItsFormula() {
    double scale = .3;
    double log = 2 * Math.log(1 / ALPHA);
    double rho = 500 / (log + Math.log(1 + log)) * scale * scale;
    double v = 2 * scale * scale;
    double boundary = Math.sqrt((v + rho) * Math.log((v + rho) / (ALPHA * ALPHA * rho)));
    assertEquals(boundary / 2, new SubGaussian(-9, 9, scale, ALPHA).radius(2), 1e-12);
  }

  @Test
  void thePaperUsesTwoLogOfTimeAndNeverOfOne() {
    PerRoundConfidence perRoundConfidence = new PerRoundConfidence(-9, 9, .18);
    assertEquals(.18 * Math.sqrt(4 * Math.log(100) / 2), perRoundConfidence.radius(2, 100), 1e-15);
    assertEquals(2 * StrictMath.log(2), PerRoundConfidence.logTerm(1));
    assertEquals(2 * StrictMath.log(2), PerRoundConfidence.logTerm(2));
    assertEquals(AuditGuarantee.PER_ROUND, perRoundConfidence.guarantee());
  }

  @Test
  void limitsAreClippedToTheRangeAndNothingSeenIsTheWholeRange() {
    PerRoundConfidence perRoundConfidence = new PerRoundConfidence(.1, 1, .18);
    CellBlock block = new CellBlock(2);
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
