package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.constraint.EffectBounds;
import io.equipoise.policy.constraint.EffectSize;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EffectEllipseTest {
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final double STEP = 2 * Math.PI / 48;
  private static final int CASES =
      "full".equals(System.getProperty("equipoise.tier")) ? 20_000 : 1500;

  /** The search of section 4.4 with nothing but StrictMath. */
  private record Strict(
      double u0, double v0, double uCos, double vCos, double vSin, double limitU, double limitV) {
    double effect(double cosine, double sine) {
      double u = u0 + uCos * cosine;
      double v = v0 + vCos * cosine + vSin * sine;
      return Logistic.mean(Math.max(-limitU, Math.min(limitU, u)))
          - Logistic.mean(Math.max(-limitV, Math.min(limitV, v)));
    }

    double at(double angle) {
      return effect(StrictMath.cos(angle), StrictMath.sin(angle));
    }

    double greatest(int sign) {
      int best = 0;
      double greatest = Double.NEGATIVE_INFINITY;
      for (int angle = 0; angle < 48; angle++) {
        double effect = sign * at(STEP * angle);
        if (effect > greatest) {
          greatest = effect;
          best = angle;
        }
      }
      double low = STEP * (best - 1);
      double high = STEP * (best + 1);
      double left = high - GOLDEN * (high - low);
      double right = low + GOLDEN * (high - low);
      double atLeft = sign * at(left);
      double atRight = sign * at(right);
      for (int section = 0; section < 40; section++) {
        if (atLeft >= atRight) {
          high = right;
          right = left;
          atRight = atLeft;
          left = high - GOLDEN * (high - low);
          atLeft = sign * at(left);
        } else {
          low = left;
          left = right;
          atLeft = atRight;
          right = low + GOLDEN * (high - low);
          atRight = sign * at(right);
        }
      }
      return Math.max(greatest, Math.max(atLeft, atRight));
    }
  }

  private static Strict strict(
      ParameterEstimate parameterEstimate, double[] x, double[] xc, double r) {
    Curvature curvature = parameterEstimate.curvature;
    double c11 = Math.sqrt(curvature.variance(x));
    double c21 = c11 == 0 ? 0 : curvature.product(xc, x) / c11;
    double c22 = Math.sqrt(Math.max(0, curvature.variance(xc) - c21 * c21));
    double s = parameterEstimate.scale().s();
    return new Strict(
        Vectors.dot(x, parameterEstimate.theta),
        Vectors.dot(xc, parameterEstimate.theta),
        r * c11,
        r * c21,
        r * c22,
        s * Vectors.norm(x),
        s * Vectors.norm(xc));
  }

  /**
   * Some cases are cut by the ball, some flat, some sharp, some without data, some of a zero
   * vector.
   */
  @Test
  void theRangeIsThatOfGoldenSectionsAndLiesWithinItsBounds() {
    int decided = 0;
    int decidedRoughly = 0;
    int beyond = 0;
    for (long seed = 1; seed <= CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double s = random.nextInt(3) == 0 ? 60 : random.nextInt(4) == 0 ? 1 : 5;
      StreamingModel model = new StreamingModel(new LogisticScale(4, s));
      StreamingModelTest.learn(model, random, random.nextInt(120));
      ParameterEstimate parameterEstimate = model.estimate();
      double[] x = StreamingModelTest.unit(random, 4);
      double[] xc = StreamingModelTest.unit(random, 4);
      if (random.nextInt(10) == 0) {
        x = random.nextBoolean() ? new double[4] : xc;
      }
      boolean isSharp = random.nextInt(3) == 0;
      if (isSharp) { // narrow bumps between places where g is flat
        double[] near = Vectors.plus(x, random.nextDouble(.05, .4), xc);
        xc = Vectors.scaled(1 / Vectors.norm(near), near);
      }
      double r = isSharp ? random.nextDouble(.3, 1.5) : random.nextDouble(.05, 8);
      Strict strict = strict(parameterEstimate, x, xc, r);
      EffectEllipse ellipse =
          new EffectEllipse(parameterEstimate.pair(x, xc, EffectScale.PROBABILITY), r);
      OddsInterval range = ellipse.interval();
      assertEquals(-strict.greatest(-1), range.lower(), 1e-14, "seed " + seed);
      assertEquals(strict.greatest(1), range.upper(), 1e-14, "seed " + seed);
      assertEquals(parameterEstimate.effect(x, xc), range.estimate(), 0, "seed " + seed);

      EffectBounds bounds = ellipse.bounds();
      EffectBounds rough = ellipse.roughBounds();
      check(range.size(), bounds, seed);
      check(range.size(), rough, seed);
      double low = range.lower() + random.nextDouble(-.05, .2);
      double high = range.upper() - random.nextDouble(-.05, .2);
      boolean isBeyond = ellipse.isBeyond(low, high);
      assertTrue(!isBeyond || (range.lower() < low && range.upper() > high), "seed " + seed);
      beyond += isBeyond ? 1 : 0;
      decidedRoughly += rough.most().high() <= .3 || rough.least().high() > .3 ? 1 : 0;
      boolean isDecided = bounds.most().high() <= .3 || bounds.least().high() > .3;
      decided += isDecided ? 1 : 0;
    }
    assertTrue(decided > .8 * CASES, "bounds decide " + decided + " of " + CASES);
    assertTrue(decidedRoughly > .6 * CASES, "rough ones " + decidedRoughly + " of " + CASES);
    assertTrue(beyond > .3 * CASES, "beyond " + beyond + " of " + CASES);
  }

  private static void check(EffectSize size, EffectBounds bounds, long seed) {
    String found = size + " outside of " + bounds + ", seed " + seed;
    assertTrue(bounds.least().low() <= size.low() && size.low() <= bounds.most().low(), found);
    assertTrue(bounds.least().high() <= size.high() && size.high() <= bounds.most().high(), found);
    assertEquals(size.estimate(), bounds.least().estimate(), 0, "seed " + seed);
    assertEquals(size.estimate(), bounds.most().estimate(), 0, "seed " + seed);
  }

  /** Where the ball cuts, the range holds what is left and is no wider than the ball allows. */
  @Test
  void theRangeOfLogOddsIsThatOfEveryPointOfTheEllipse() {
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double s = random.nextInt(3) == 0 ? 1 : 60;
      StreamingModel model = new StreamingModel(new LogisticScale(4, s));
      StreamingModelTest.learn(model, random, random.nextInt(120));
      ParameterEstimate estimate = model.estimate();
      double[] x = StreamingModelTest.unit(random, 4);
      double[] xc = StreamingModelTest.unit(random, 4);
      double r = random.nextDouble(.05, 8);
      Strict ellipse = strict(estimate, x, xc, r);
      OddsInterval range =
          new EffectEllipse(estimate.pair(x, xc, EffectScale.LOG_ODDS), r).interval();
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < 3_600; i++) {
        double cosine = Math.cos(i * Math.PI / 1_800);
        double sine = Math.sin(i * Math.PI / 1_800);
        double u = ellipse.u0() + ellipse.uCos() * cosine;
        double v = ellipse.v0() + ellipse.vCos() * cosine + ellipse.vSin() * sine;
        low = Math.min(low, u - v);
        high = Math.max(high, u - v);
      }
      assertEquals(estimate.at(x).z - estimate.at(xc).z, range.estimate(), 1e-12);
      assertEquals(Math.max(-2 * s, Math.min(2 * s, low)), range.lower(), 1e-4 * (high - low));
      assertEquals(Math.max(-2 * s, Math.min(2 * s, high)), range.upper(), 1e-4 * (high - low));
    }
  }

  @Test
  void theTableOfTheLogisticFunctionIsAsNearAsItSays() {
    for (double z = -40; z <= 40; z += .00123) {
      assertEquals(Logistic.mean(z), Logistic.near(z), Logistic.NEAR, "z = " + z);
    }
  }
}
