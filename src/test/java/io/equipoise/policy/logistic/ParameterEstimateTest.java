package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

class ParameterEstimateTest {
  private static ParameterEstimate withInverse(DMatrixRMaj inverse, double s, double... theta) {
    int n = inverse.numRows;
    DMatrixRMaj h = inverse.copy();
    CommonOps_DDRM.invert(h);
    LogisticScale scale = new LogisticScale(n, s);
    Curvature curvature = new Curvature(n, scale.lambda());
    curvature.h.setTo(h);
    curvature.inverse.setTo(inverse);
    return new ParameterEstimate(scale, theta, curvature, 100);
  }

  @Test
  void theRangeOverTheEllipsoidIsTheReferences() {
    DMatrixRMaj inverse = CommonOps_DDRM.diag(.04, .05, .03, .02);
    inverse.set(0, 1, .01);
    inverse.set(1, 0, .01);
    inverse.set(2, 3, -.005);
    inverse.set(3, 2, -.005);
    ParameterEstimate parameterEstimate = withInverse(inverse, 5, -3.5, 1.5, 1, 2.5);
    double third = 1 / Math.sqrt(3);
    OddsInterval interval =
        parameterEstimate.exactInterval(
            new double[] {.5, .5, .5, .5}, new double[] {0, third, third, third}, 3);
    assertEquals(-0.3792513088, interval.lower(), 1e-9);
    assertEquals(-0.2680089101, interval.estimate(), 1e-9);
    assertEquals(-0.1740884586, interval.upper(), 1e-9);
  }

  @Test
  void noPointOfTheEllipsoidHasAnEffectOutsideOfTheRange() {
    for (long seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StreamingModel model = new StreamingModel(new LogisticScale(4, 5));
      StreamingModelTest.learn(model, random, 1 + random.nextInt(60));
      double[] x = StreamingModelTest.unit(random, 4);
      double[] xc = StreamingModelTest.unit(random, 4);
      ParameterEstimate parameterEstimate = model.estimate();
      double r = random.nextDouble(.5, 6);
      OddsInterval interval = parameterEstimate.exactInterval(x, xc, r);
      for (int i = 0; i < 2000; i++) {
        double[] direction = StreamingModelTest.unit(random, 4);
        double[] v = new double[4];
        parameterEstimate.curvature.solve(direction, v);
        double length = r / Math.sqrt(Vectors.dot(direction, v));
        double[] theta = Vectors.plus(parameterEstimate.theta, length, v);
        if (Vectors.norm(theta) <= 5) {
          double effect =
              Logistic.mean(Vectors.dot(x, theta)) - Logistic.mean(Vectors.dot(xc, theta));
          assertTrue(
              effect >= interval.lower() - 1e-6 && effect <= interval.upper() + 1e-6,
              effect + " outside of " + interval + ", seed " + seed);
        }
      }
    }
  }

  @Test
  void withoutDataAllUncertaintyComesFromThePrior() {
    StreamingModel model = new StreamingModel(new LogisticScale(4, 5));
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20; i++) {
      double[] x = StreamingModelTest.unit(random, 4);
      double[] xc = StreamingModelTest.unit(random, 4);
      assertEquals(1, model.estimate().local(x, xc).overlap().unsupportedShare(), 1e-12);
    }
  }

  @Test
  void theCausalBoundsShareVanishesWhereDataSpanAndStaysOneWhereNoneWere() {
    StreamingModel model = new StreamingModel(new LogisticScale(4, 5));
    SplittableRandom random = new SplittableRandom(4);
    double[] never = {0, 0, 0, 1};
    for (int i = 0; i < 20_000; i++) {
      double[] x = StreamingModelTest.unit(random, 3);
      double[] inPlane = {x[0], x[1], x[2], 0};
      model.learn(inPlane, random.nextInt(2));
    }
    double[] zero = new double[4];
    assertEquals(1, model.estimate().local(never, zero).overlap().unsupportedShare(), 1e-9);
    double[] seen = {1, 0, 0, 0};
    double ofSeen = model.estimate().local(seen, zero).overlap().unsupportedShare();
    assertTrue(ofSeen < .001, "unsupported share " + ofSeen);
    assertEquals(0, model.estimate().local(seen, seen).overlap().unsupportedShare());
  }

  @Test
  void theOptimisticValueIsTheGreatestOfTheEllipsoidAndCutToTheBall() {
    StreamingModel model = new StreamingModel(new LogisticScale(4, 5));
    double[] x = {1, 0, 0, 0};
    assertEquals(5, model.estimate().optimistic(x, 100), 1e-12);
    StreamingModelTest.learn(model, new SplittableRandom(5), 2000);
    ParameterEstimate parameterEstimate = model.estimate();
    double[] optimum = parameterEstimate.optimum(x, .5);
    assertEquals(parameterEstimate.optimistic(x, .5), Vectors.dot(x, optimum), 1e-12);
  }

  @Test
  void theRadiiAreTheSpecificationsAtTenThousandRewards() {
    StreamingModel model = new StreamingModel(new LogisticScale(4, 5));
    StreamingModelTest.learn(model, new SplittableRandom(6), 10_000);
    ParameterEstimate parameterEstimate = model.estimate();
    assertEquals(
        356, parameterEstimate.squaredRadius(new ConfidenceRadius(RadiusKind.LEE24, .05, 1)), .5);
    assertEquals(
        47.5, parameterEstimate.squaredRadius(new ConfidenceRadius(RadiusKind.LEE24B, .05, 1)), .5);
    ConfidenceRadius ofSpecification = new ConfidenceRadius(RadiusKind.LAPLACE, .05, 1);
    double laplace = parameterEstimate.squaredRadius(ofSpecification);
    assertTrue(laplace > 12 && laplace < 20, "b2 " + laplace);
    double bias = 4 / 2.0; // lambda S^2 / 2 with lambda = n / S^2
    assertEquals(
        laplace + bias, parameterEstimate.squaredRadius(ConfidenceRadius.ofAudit(.05)), 1e-9);
  }
}
