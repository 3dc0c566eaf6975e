package io.equipoise.bandit.logistic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.logistic.ExactModel.Boundary;
import io.equipoise.bandit.logistic.LogisticModel.JointOptimum;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExactModelTest {
  private static final LogisticScale SCALE = new LogisticScale(3, 4);
  private static final ConfidenceRadius RADIUS = new ConfidenceRadius(RadiusKind.LEE24, .05, .02);

  private static double[][] few(SplittableRandom random, int count) {
    double[][] xs = new double[count][];
    for (int i = 0; i < count; i++) {
      xs[i] = StreamingModelTest.unit(random, 3);
    }
    return xs;
  }

  private static ExactModel learned(SplittableRandom random, double[][] xs, int rewards) {
    ExactModel model = new ExactModel(SCALE);
    for (int i = 0; i < rewards; i++) {
      double[] x = xs[random.nextInt(xs.length)];
      model.learn(x, random.nextDouble() < Logistic.mean(2 * x[0] - x[1]) ? 1 : 0);
    }
    return model;
  }

  @Test
  void equalRowsAreMergedAndTheEstimateHasNoBetterNeighbor() {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[][] xs = few(random, 12);
      ExactModel model = learned(random, xs, 20 + random.nextInt(300));
      assertTrue(model.distinctRows() <= 12);
      double[] theta = model.estimate().parameter();
      assertTrue(Vectors.norm(theta) <= SCALE.s() * (1 + 1e-9), "seed " + seed);
      History history = new History();
      SplittableRandom again = new SplittableRandom(seed);
      double[][] same = few(again, 12);
      int rewards = 20 + again.nextInt(300);
      for (int i = 0; i < rewards; i++) {
        double[] x = same[again.nextInt(12)];
        history.add(x, again.nextDouble() < Logistic.mean(2 * x[0] - x[1]) ? 1 : 0);
      }
      for (int i = 0; i < 200; i++) {
        double[] step = StreamingModelTest.unit(random, 3);
        double[] near = Vectors.within(SCALE.s(), Vectors.plus(theta, .01, step));
        assertTrue(history.loss(near) >= model.loss() - 1e-9, "seed " + seed);
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
            Vectors.within(
                SCALE.s(),
                Vectors.plus(center, random.nextDouble(8), StreamingModelTest.unit(random, 3)));
        if (loss(model, theta) - model.loss() <= b2) {
          for (int k = 0; k < xs.length; k++) {
            assertTrue(Vectors.dot(xs[k], theta) <= value[k] + 1e-6, "seed " + seed);
          }
        }
      }
    }
  }

  /** The loss at any parameter, read off the bytes: independent of what the model caches. */
  private static double loss(ExactModel model, double[] theta) {
    ByteBuffer bytes = ByteBuffer.allocate(model.byteLength());
    model.appendTo(bytes);
    bytes.flip().position(13);
    int rows = bytes.getInt();
    double loss = 0;
    for (int row = 0; row < rows; row++) {
      double count = bytes.getLong();
      double successes = bytes.getLong();
      double z = bytes.getDouble() * theta[0];
      z += bytes.getDouble() * theta[1];
      z += bytes.getDouble() * theta[2];
      loss += count * Math.log1p(Math.exp(z)) - successes * z;
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
  void mergedModelsEqualTheModelOfTheUnionInAnyOrder() {
    SplittableRandom random = new SplittableRandom(8);
    double[][] xs = few(random, 8);
    ExactModel one = learned(random.split(), xs, 150);
    ExactModel other = learned(random.split(), xs, 90);
    ExactModel left = one.copy();
    left.merge(other);
    ExactModel right = other.copy();
    right.merge(one);
    assertEquals(240, left.rewards());
    assertArrayEquals(left.estimate().parameter(), right.estimate().parameter(), 1e-9);
    assertEquals(left.loss(), right.loss(), 1e-9);
    ExactModel another = new ExactModel(new LogisticScale(3, 5));
    assertThrows(IllegalArgumentException.class, () -> left.merge(another));
  }

  @Test
  void theHistoryComesBackFromItsBytes() {
    SplittableRandom random = new SplittableRandom(9);
    ExactModel model = learned(random, few(random, 8), 100);
    ByteBuffer bytes = ByteBuffer.allocate(model.byteLength());
    model.appendTo(bytes);
    assertEquals(0, bytes.remaining());
    ExactModel restored = ExactModel.readFrom(bytes.flip());
    assertArrayEquals(model.estimate().parameter(), restored.estimate().parameter(), 1e-9);
    ByteBuffer cut = ByteBuffer.wrap(bytes.array(), 0, bytes.capacity() - 1);
    assertThrows(IllegalArgumentException.class, () -> ExactModel.readFrom(cut));
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
