package io.equipoise.lab.cclb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.cclb.ExactModel.Boundary;
import io.equipoise.policy.logistic.ConfidenceRadius;
import io.equipoise.policy.logistic.Logistic;
import io.equipoise.policy.logistic.LogisticModel.JointOptimum;
import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.policy.logistic.RadiusKind;
import io.equipoise.policy.logistic.StreamingModel;
import io.equipoise.policy.logistic.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExactModelTest {
  private static final LogisticScale SCALE = new LogisticScale(3, 4);
  private static final ConfidenceRadius RADIUS = new ConfidenceRadius(RadiusKind.LEE24, .05, .02);

  private static double[] unit(SplittableRandom random, int n) {
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextDouble(-1, 1);
    }
    return Vectors.scaled(1 / Vectors.norm(x), x);
  }

  private static double[][] few(SplittableRandom random, int count) {
    double[][] xs = new double[count][];
    for (int i = 0; i < count; i++) {
      xs[i] = unit(random, 3);
    }
    return xs;
  }

  private final List<double[]> seen = new ArrayList<>();
  private final List<Double> rewards = new ArrayList<>();

  private ExactModel learned(SplittableRandom random, double[][] xs, int count) {
    ExactModel model = new ExactModel(SCALE);
    seen.clear();
    rewards.clear();
    for (int i = 0; i < count; i++) {
      double[] x = xs[random.nextInt(xs.length)];
      double y = random.nextDouble() < Logistic.mean(2 * x[0] - x[1]) ? 1 : 0;
      model.learn(x, y);
      seen.add(x);
      rewards.add(y);
    }
    return model;
  }

  @Test
  void theEstimateHasNoBetterNeighbor() {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[][] xs = few(random, 12);
      ExactModel model = learned(random, xs, 20 + random.nextInt(300));
      double[] theta = model.estimate().parameter();
      assertTrue(Vectors.norm(theta) <= SCALE.s() * (1 + 1e-9), "seed " + seed);
      for (int i = 0; i < 200; i++) {
        double[] step = unit(random, 3);
        double[] near = Vectors.within(SCALE.s(), Vectors.plus(theta, .01, step));
        assertTrue(loss(near) >= model.loss() - 1e-9, "seed " + seed);
      }
    }
  }

  @Test
  void separableDataGiveAnEstimateOnTheSphereAndAreNoError() {
    ExactModel model = new ExactModel(SCALE);
    model.learn(new double[] {1, 0, 0}, 1);
    model.learn(new double[] {0, 1, 0}, 0);
    assertEquals(Boundary.BOUNDARY, model.boundary());
    assertEquals(SCALE.s(), Vectors.norm(model.estimate().parameter()), 1e-9);
    for (int i = 0; i < 50; i++) {
      model.learn(new double[] {1, 0, 0}, i % 2);
      model.learn(new double[] {0, 1, 0}, i % 2);
    }
    assertEquals(Boundary.INTERIOR, model.boundary());
  }

  @Test
  void theOptimisticValueIsTheGreatestOfTheSet() {
    for (long seed = 1; seed <= 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[][] xs = few(random, 10);
      ExactModel model = learned(random, xs, 10 + random.nextInt(200));
      double b2 = model.estimate().squaredRadius(RADIUS);
      double[] value = model.optimistic(xs, RADIUS);
      double[] center = model.estimate().parameter();
      for (int i = 0; i < 3000; i++) {
        double[] theta =
            Vectors.within(SCALE.s(), Vectors.plus(center, random.nextDouble(8), unit(random, 3)));
        if (loss(theta) - model.loss() <= b2) {
          for (int k = 0; k < xs.length; k++) {
            assertTrue(Vectors.dot(xs[k], theta) <= value[k] + 1e-6, "seed " + seed);
          }
        }
      }
    }
  }

  /** The loss at any parameter, over the rewards as they came. */
  private double loss(double[] theta) {
    double loss = 0;
    for (int i = 0; i < seen.size(); i++) {
      double[] x = seen.get(i);
      double z = x[0] * theta[0] + x[1] * theta[1] + x[2] * theta[2];
      loss += Math.log1p(Math.exp(z)) - rewards.get(i) * z;
    }
    return loss;
  }

  @Test
  void theJointOptimumIsTheBestOfTheSingleOnes() {
    for (long seed = 1; seed <= 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[][] xs = few(random, 10);
      ExactModel model = learned(random, xs, 200 + random.nextInt(200));
      double[] value = model.optimistic(xs, RADIUS);
      double greatest = Double.NEGATIVE_INFINITY;
      for (double single : value) {
        greatest = Math.max(greatest, single);
      }
      for (int start = 0; start < 10; start += 3) {
        JointOptimum joint = model.jointOptimum(xs, start, RADIUS);
        assertEquals(greatest, joint.value(), 1e-6, "seed " + seed);
        assertEquals(joint.value(), Vectors.dot(xs[joint.candidate()], joint.theta()), 1e-9);
      }
    }
  }

  @Test
  void beforeAnyRewardTheFirstCandidateVisitedIsOptimal() {
    ExactModel model = new ExactModel(SCALE);
    double[][] xs = few(new SplittableRandom(1), 5);
    assertEquals(3, model.jointOptimum(xs, 3, RADIUS).candidate());
  }

  @Test
  void theStreamingFormComesCloseToTheExactOne() {
    SplittableRandom random = new SplittableRandom(10);
    double[][] xs = few(random, 20);
    ExactModel exact = new ExactModel(SCALE);
    StreamingModel streaming = new StreamingModel(SCALE);
    for (int i = 0; i < 20_000; i++) {
      double[] x = xs[random.nextInt(20)];
      double y = random.nextDouble() < Logistic.mean(2 * x[0] - x[1]) ? 1 : 0;
      exact.learn(x, y);
      streaming.learn(x, y);
    }
    assertArrayEquals(exact.estimate().parameter(), streaming.estimate().parameter(), .02);
  }
}
