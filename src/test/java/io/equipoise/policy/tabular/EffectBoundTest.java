package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.fairness.EffectIdentification;
import io.equipoise.policy.tabular.Comparison.Worlds;
import io.equipoise.policy.tabular.EffectBound.CounterfactualWorld;
import java.util.Arrays;
import java.util.Collections;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EffectBoundTest {
  private static final double[] PLUS = {.5, .3, .2};
  private static final double[] MINUS = {.2, .3, .5};

  private static EffectBound bound(
      boolean isIdentified, CounterfactualWorld factual, CounterfactualWorld... others) {
    Comparison comparison =
        new Comparison(
            0,
            0,
            1,
            Collections.nCopies(others.length, new Worlds(new int[1], new int[1])),
            isIdentified ? EffectIdentification.IDENTIFIED : EffectIdentification.BOUNDED,
            new KindLimit(AuditEffectKind.TOTAL, 1, 1));
    CounterfactualWorld[] factuals = new CounterfactualWorld[others.length];
    Arrays.fill(factuals, factual);
    return new EffectBound(comparison, factuals, others, 1, 1);
  }

  /** Limits of exactly [low, high] for each cell; where low is NaN the cell is unseen. */
  private static CellLimits limits(double[] low, double[] high) {
    CellBlock block = new CellBlock(low.length);
    double radius = (high[0] - low[0]) / 2;
    for (int cell = 0; cell < low.length; cell++) {
      if (!Double.isNaN(low[cell])) {
        block.observe(cell, (low[cell] + high[cell]) / 2);
      }
    }
    double scale = radius / Math.sqrt(2 * PerRoundConfidence.logTerm(2));
    return new CellLimits(block, low.length, new PerRoundConfidence(0, 1, scale), 2);
  }

  private static CounterfactualWorld world(CellLimits limits, double... p) {
    return world(limits, 0, p);
  }

  /** A world whose p may be wrong by so much. */
  private static CounterfactualWorld world(CellLimits limits, double error, double[] p) {
    return new CounterfactualWorld(
        limits, new MediatorTable(new double[][] {p}, new double[] {error}));
  }

  @Test
  void theBoxCertificateIsTheSpecifiedVector() {
    CellLimits limits = limits(new double[] {.1, .2, .4}, new double[] {.6, .7, .9});
    EffectBound bound = bound(true, world(limits, MINUS), world(limits, PLUS));
    EffectFinding auditEffect = bound.effect(0, 0);
    assertEquals(.06, auditEffect.upper(), 1e-15);
    assertEquals(-.24, auditEffect.lower(), 1e-15);
    assertEquals(.24, bound.worst(0, 0), 1e-15);
    assertEquals((.35 - .65) * .3, auditEffect.estimate(), 1e-15);
    assertEquals(0, auditEffect.unsupportedShare());
  }

  @Test
  void withoutDataTheCertificateIsTheRangeTimesTheTotalVariation() {
    CellLimits limits = new CellLimits(null, 3, new PerRoundConfidence(.25, 1, 1), 1);
    EffectFinding auditEffect = bound(true, world(limits, PLUS), world(limits, MINUS)).effect(0, 0);
    assertEquals(.75 * .3, auditEffect.upper(), 1e-15);
    assertEquals(-.75 * .3, auditEffect.lower(), 1e-15);
    assertEquals(1, auditEffect.unsupportedShare());
    assertEquals(0, auditEffect.estimate(), 1e-15);
  }

  @Test
  void equalDistributionsAreCertifiedAtNoughtExactly() {
    CellLimits limits = new CellLimits(null, 3, new PerRoundConfidence(0, 1, 1), 1);
    EffectBound bound = bound(true, world(limits, PLUS), world(limits, PLUS.clone()));
    assertEquals(0, bound.worst(0, 0));
    assertEquals(0, bound.effect(0, 0).unsupportedShare());
  }

  @Test
  void worldsWithCellsOfTheirOwnAddTheirUncertainty() {
    CellLimits here = limits(new double[] {.1, .2, .4}, new double[] {.6, .7, .9});
    CellLimits there = limits(new double[] {.3, .3, .3}, new double[] {.5, .5, .5});
    EffectFinding auditEffect = bound(true, world(here, PLUS), world(there, MINUS)).effect(0, 0);
    assertEquals(.5 - (.05 + .06 + .08), auditEffect.upper(), 1e-12);
    assertEquals(.3 - (.30 + .21 + .18), auditEffect.lower(), 1e-12);
  }

  @Test
  void theUnsupportedShareIsThatOfTheUnseenCells() {
    double unseen = Double.NaN;
    CellLimits limits = limits(new double[] {.4, .4, unseen}, new double[] {.6, .6, unseen});
    EffectFinding auditEffect = bound(true, world(limits, PLUS), world(limits, MINUS)).effect(0, 0);
    assertEquals(.3 * 1 / (.3 * .2 + .3 * 1), auditEffect.unsupportedShare(), 1e-12);
  }

  /**
   * Theorem 2 as brute force: every corner of the box is a model, and in every model every value of
   * the descendants is possible. The effect is linear in the model, so corners are enough.
   */
  @Test
  void theIntervalOfTheoremTwoIsThatOfAllModelsInTheBox() {
    SplittableRandom random = new SplittableRandom(5);
    for (int trial = 0; trial < 200; trial++) {
      int cells = 3;
      CellLimits[] limits = {randomLimits(random, cells), randomLimits(random, cells)};
      CounterfactualWorld factual = world(limits[0], distribution(random, cells));
      // Worlds 0 and 1 use the factual cells, world 2 has cells of its own.
      CounterfactualWorld[] others = {
        world(limits[0], distribution(random, cells)),
        world(limits[0], distribution(random, cells)),
        world(limits[1], distribution(random, cells))
      };
      double lower = 9;
      double upper = -9;
      for (int corner = 0; corner < 1 << (2 * cells); corner++) {
        for (CounterfactualWorld other : others) {
          double effect = 0;
          for (int z = 0; z < cells; z++) {
            int offset = other.limits() == limits[0] ? 0 : cells;
            effect += other.weights().p()[0][z] * at(other.limits(), z, corner >> (z + offset));
            effect -= factual.weights().p()[0][z] * at(limits[0], z, corner >> z);
          }
          lower = Math.min(lower, effect);
          upper = Math.max(upper, effect);
        }
      }
      EffectFinding auditEffect = bound(false, factual, others).effect(0, 0);
      assertEquals(lower, auditEffect.lower(), 1e-12);
      assertEquals(upper, auditEffect.upper(), 1e-12);
      assertTrue(auditEffect.estimate() >= lower && auditEffect.estimate() <= upper);
      assertFalse(auditEffect.isIdentified());
    }
  }

  private static double at(CellLimits limits, int cell, int corner) {
    return (corner & 1) == 1 ? limits.upper(cell) : limits.lower(cell);
  }

  private static CellLimits randomLimits(SplittableRandom random, int cells) {
    CellBlock block = new CellBlock(cells);
    for (int cell = 0; cell < cells; cell++) {
      for (int n = random.nextInt(4); n > 0; n--) {
        block.observe(cell, random.nextDouble());
      }
    }
    return new CellLimits(block, cells, new PerRoundConfidence(0, 1, .2), 2);
  }

  private static double[] distribution(SplittableRandom random, int cells) {
    double[] p = new double[cells];
    double rest = 1;
    for (int z = 0; z < cells - 1; z++) {
      p[z] = rest * random.nextDouble();
      rest -= p[z];
    }
    p[cells - 1] = rest;
    return p;
  }

  @Test
  void theWorstEffectIsTheLargerEndOfTheIntervalBitForBit() {
    SplittableRandom random = new SplittableRandom(18);
    for (int trial = 0; trial < 2_000; trial++) {
      CellLimits here = randomLimits(random);
      CellLimits there = random.nextBoolean() ? here : randomLimits(random);
      CounterfactualWorld factual = world(here, error(random), random.doubles(4).toArray());
      CounterfactualWorld[] others = new CounterfactualWorld[1 + random.nextInt(3)];
      for (int i = 0; i < others.length; i++) {
        double[] known = factual.weights().p()[0];
        double[] weights = random.nextInt(4) == 0 ? known : random.doubles(4).toArray();
        others[i] = world(there, error(random), weights);
      }
      EffectBound bound = bound(others.length == 1, factual, others);
      EffectFinding auditEffect = bound.effect(2, 0);
      double larger = Math.max(Math.abs(auditEffect.lower()), Math.abs(auditEffect.upper()));
      assertEquals(larger, bound.worst(2, 0), 0.0, "trial " + trial + " of seed 18");
    }
  }

  @Test
  void theIntervalHoldsForEveryDistributionWithinItsErrorAndEveryMeanInTheBox() {
    SplittableRandom random = new SplittableRandom(19);
    double closest = 1;
    for (int trial = 0; trial < 20_000; trial++) {
      CellLimits limits = randomLimits(random);
      double[] here = distribution(random);
      double[] there = distribution(random);
      double[] trueHere = moved(here, random);
      double[] trueThere = moved(there, random);
      CounterfactualWorld factual = world(limits, distance(here, trueHere), here);
      CounterfactualWorld other = world(limits, distance(there, trueThere), there);
      EffectFinding auditEffect = bound(true, factual, other).effect(2, 0);
      double truth = 0;
      for (int z = 0; z < here.length; z++) {
        double[] ends = {limits.lower(2 + z), limits.upper(2 + z)};
        truth += (trueThere[z] - trueHere[z]) * ends[random.nextInt(2)];
      }
      String message = "trial " + trial + " of seed 19";
      assertTrue(
          auditEffect.lower() <= truth + 1e-12 && truth - 1e-12 <= auditEffect.upper(), message);
      closest =
          Math.min(
              closest, (auditEffect.upper() - truth) / (auditEffect.upper() - auditEffect.lower()));
    }
    assertTrue(closest < .1, "some truth comes near the end of its interval: " + closest);
  }

  private static double[] distribution(SplittableRandom random) {
    double[] p = random.doubles(4).toArray();
    double sum = p[0] + p[1] + p[2] + p[3];
    return new double[] {p[0] / sum, p[1] / sum, p[2] / sum, p[3] / sum};
  }

  private static double[] moved(double[] p, SplittableRandom random) {
    double[] moved = p.clone();
    int from = random.nextInt(p.length);
    double mass = random.nextDouble() * p[from];
    moved[from] -= mass;
    moved[random.nextInt(p.length)] += mass;
    return moved;
  }

  private static double distance(double[] p, double[] q) {
    double distance = 0;
    for (int z = 0; z < p.length; z++) {
      distance += Math.abs(p[z] - q[z]);
    }
    return distance;
  }

  private static double error(SplittableRandom random) {
    return random.nextBoolean() ? 0 : random.nextDouble(2);
  }

  private static CellLimits randomLimits(SplittableRandom random) {
    CellBlock block = new CellBlock(6);
    for (int seen = 0; seen < 8; seen++) {
      block.observe(random.nextInt(6), random.nextDouble(-2, 2));
    }
    return new CellLimits(block, 6, new PerRoundConfidence(-2, 2, .5), 9);
  }

  private static CellLimits jointLimits(JointRegion region, SplittableRandom random) {
    CellBlock block = new CellBlock(6);
    for (int seen = random.nextInt(400); seen > 0; seen--) {
      block.observe(random.nextInt(6), random.nextInt(2));
    }
    return region.limits(block, 6, 1);
  }

  @Test
  void aJointEffectIsTheSameByItsEndsItsSizeAndAnyThreshold() {
    SplittableRandom random = new SplittableRandom(20);
    for (int trial = 0; trial < 1_000; trial++) {
      JointRegion region = new JointRegion(0, 1, .05, 6);
      CellLimits here = jointLimits(region, random);
      CellLimits there = random.nextBoolean() ? here : jointLimits(region, random);
      CounterfactualWorld factual = world(here, error(random) / 4, distribution(random));
      CounterfactualWorld[] others = new CounterfactualWorld[1 + random.nextInt(3)];
      for (int i = 0; i < others.length; i++) {
        others[i] = world(there, error(random) / 4, distribution(random));
      }
      EffectBound bound = bound(others.length == 1, factual, others);
      EffectFinding auditEffect = bound.effect(2, 0);
      double larger = Math.max(Math.abs(auditEffect.lower()), Math.abs(auditEffect.upper()));
      String message = "trial " + trial + " of seed 20";
      assertEquals(larger, bound.worst(2, 0), 0.0, message);
      assertEquals(auditEffect.estimate(), bound.estimate(2, 0), 0.0, message);
      for (double threshold : new double[] {larger * (1 - 1e-9), larger * (1 + 1e-9), .1, .3}) {
        assertEquals(larger <= threshold, bound.worst(2, 0, threshold) <= threshold, message);
      }
    }
  }

  @Test
  void anErrorOfTheTableWidensAJointEffectByHalfOfItTimesTheReachOfItsCells() {
    CellBlock block = new CellBlock(3);
    for (int n = 0; n < 900; n++) {
      block.observe(n % 3, n % 10 < 3 + 2 * (n % 3) ? 1 : 0);
    }
    double alpha = .05;
    CellLimits limits = new JointRegion(0, 1, alpha, 3).limits(block, 3, 1);
    EffectFinding known = bound(true, world(limits, PLUS), world(limits, MINUS)).effect(0, 0);
    EffectFinding estimated =
        bound(true, world(limits, .1, PLUS), world(limits, .3, MINUS)).effect(0, 0);
    double n = 300;
    double rho = JointRegion.tightest(-Math.log(alpha));
    double budget = Math.log(2 / alpha) + 3 * Math.log((n + rho) / rho) / 2;
    double reach = Math.sqrt(budget * (n + rho) / (2 * n * n));
    double means = block.mean(2) - block.mean(0);
    double widening = (.1 + .3) / 2 * (means + 2 * reach);
    assertEquals(known.upper() + widening, estimated.upper(), 1e-12);
    assertEquals(known.lower() - widening, estimated.lower(), 1e-12);
    assertTrue(means > 0 && reach > .1, means + " and " + reach);
  }
}
