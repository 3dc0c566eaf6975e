package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.layout.StoredBytes;
import io.equipoise.segmentspec.Forget;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RidgeModelTest {
  private static final double TEST_TOLERANCE = 1e-9;
  private static final int UPDATES = 100_000;

  private static double[] dense(SplittableRandom random, int dimension) {
    return random.doubles(dimension, -1, 1).toArray();
  }

  /** One nonzero in every third of the features, so that the sparse kernels are used. */
  private static double[] sparse(SplittableRandom random, int dimension) {
    double[] x = new double[dimension];
    for (int block = 0; block < 3; block++) {
      int width = dimension / 3;
      x[block * width + random.nextInt(width)] = random.nextInt(4) == 0 ? random.nextDouble() : 1;
    }
    return x;
  }

  private static void assertAgrees(
      RidgeRegression arm, PlainRidge plain, double[][] tries, String hint) {
    double[][] inverse = plain.inverse();
    for (double[] x : tries) {
      FeatureVector vector = FeatureVector.of(x);
      assertEquals(plain.mean(inverse, x), arm.mean(vector), TEST_TOLERANCE, hint);
      double q = PlainRidge.quadratic(inverse, x, x);
      assertEquals(q, arm.squaredWidth(vector), TEST_TOLERANCE, hint);
      assertTrue(q <= vector.squaredNorm() * arm.largestEigenvalue(), hint);
    }
  }

  private static void agreesAfterManyUpdates(boolean isSparse, long seed) {
    int dimension = 12;
    RidgeModel model = RidgeModel.of(dimension, 0.5);
    RidgeRegression arm = model.newArm();
    RidgeWorkspace workspace = new RidgeWorkspace(dimension);
    PlainRidge plain = new PlainRidge(dimension, 0.5);
    SplittableRandom random = new SplittableRandom(seed);
    double[][] tries = {dense(random, dimension), sparse(random, dimension), new double[dimension]};
    for (int t = 1; t <= UPDATES; t++) {
      double[] x = isSparse ? sparse(random, dimension) : dense(random, dimension);
      double reward = x[0] - x[5] / 2 + random.nextDouble();
      assertEquals(
          InputCheck.ADMITTED, model.learn(arm, FeatureVector.of(x), reward, t, workspace));
      plain.observe(x, reward, 1);
      if (t < 5 || t % 9_997 == 0 || t == UPDATES) {
        assertAgrees(arm, plain, tries, "seed " + seed + ", update " + t);
        double log = plain.logDeterminant() - dimension * Math.log(0.5);
        assertEquals(log, arm.logDeterminant(), 1e-8);
      }
    }
  }

  @Test
  void predictionsAgreeWithAnExplicitInverseAfterAHundredThousandDenseUpdates() {
    agreesAfterManyUpdates(false, 11);
  }

  @Test
  void predictionsAgreeWithAnExplicitInverseAfterAHundredThousandSparseUpdates() {
    agreesAfterManyUpdates(true, 12);
  }

  @Test
  void theSpecificationsExampleIsExact() {
    RidgeModel model = RidgeModel.of(2, 1);
    RidgeRegression arm = model.newArm();
    model.learn(arm, FeatureVector.of(1, 2), .6, 1, new RidgeWorkspace(2));
    assertEquals(.1, arm.theta(0), 1e-15);
    assertEquals(.2, arm.theta(1), 1e-15);
    assertEquals(5 / 6.0, arm.squaredWidth(FeatureVector.of(1, 0)), 1e-15);
    assertEquals(2 / 6.0, arm.squaredWidth(FeatureVector.of(0, 1)), 1e-15);
    assertEquals(3 / 6.0, arm.squaredWidth(FeatureVector.of(1, 1)), 1e-15);
  }

  @Test
  void aDiscountedModelIsTheRegressionWithWeights() {
    int dimension = 6;
    double discount = .97;
    RidgeModel model = new RidgeModel(dimension, 1, Forget.discount(discount));
    RidgeWorkspace workspace = new RidgeWorkspace(dimension);
    RidgeRegression arm = model.newArm();
    SplittableRandom random = new SplittableRandom(31);
    double[][] xs = new double[500][];
    double[] rewards = new double[xs.length];
    for (int t = 1; t <= xs.length; t++) {
      xs[t - 1] = dense(random, dimension);
      rewards[t - 1] = random.nextDouble();
      model.advance(arm, t, workspace);
      if (t % 3 != 0) {
        model.learn(arm, FeatureVector.of(xs[t - 1]), rewards[t - 1], t, workspace);
      }
      assertTrue(arm.rho >= .5 && arm.rho <= 1, "ridge " + arm.rho);
      PlainRidge plain = new PlainRidge(dimension, arm.rho);
      for (int past = 1; past <= t; past++) {
        if (past % 3 != 0) {
          plain.observe(xs[past - 1], rewards[past - 1], Math.pow(discount, t - past));
        }
      }
      if (t % 50 == 0) {
        assertAgrees(arm, plain, new double[][] {dense(random, dimension)}, "round " + t);
        double log = plain.logDeterminant();
        assertEquals(log, arm.logDeterminant(), TEST_TOLERANCE);
      }
    }
  }

  @Test
  void aWindowedModelIsTheRegressionOverTheWindow() {
    int dimension = 6;
    RidgeModel model = new RidgeModel(dimension, 1, Forget.rounds(40));
    RidgeWorkspace workspace = new RidgeWorkspace(dimension);
    RidgeRegression arm = model.newArm();
    SplittableRandom random = new SplittableRandom(41);
    Deque<double[]> recent = new ArrayDeque<>();
    for (int t = 1; t <= 5000; t++) {
      double[] x = dense(random, dimension);
      double reward = random.nextDouble();
      model.learn(arm, FeatureVector.of(x), reward, t, workspace);
      recent.add(x);
      recent.add(new double[] {reward});
      if (recent.size() > 80) {
        recent.removeFirst();
        recent.removeFirst();
      }
      if (t % 500 == 0) {
        PlainRidge plain = new PlainRidge(dimension, 1);
        double[][] kept = recent.toArray(new double[0][]);
        for (int i = 0; i < kept.length; i += 2) {
          plain.observe(kept[i], kept[i + 1][0], 1);
        }
        assertAgrees(arm, plain, new double[][] {dense(random, dimension)}, "round " + t);
        assertEquals(arm, StoredBytes.read(new RidgeRegression(), ByteBuffer.wrap(bytes(arm))));
      }
    }
    model.advance(arm, 6000, workspace);
    assertEquals(0, arm.mean(FeatureVector.of(1, 1, 1, 1, 1, 1)), 1e-12, "all is forgotten");
    assertEquals(6, arm.squaredWidth(FeatureVector.of(1, 1, 1, 1, 1, 1)), 1e-9);
  }

  @Test
  void theEigenvalueBoundHoldsForWhatWasTakenBack() {
    RidgeModel model = new RidgeModel(2, 1, Forget.rounds(2000));
    RidgeWorkspace workspace = new RidgeWorkspace(2);
    RidgeRegression arm = model.newArm();
    for (int t = 1; t <= 1000; t++) {
      model.learn(arm, FeatureVector.of(t % 2, 1 - t % 2), .5, t, workspace);
    }
    assertTrue(arm.largestEigenvalue() < .01, "made anew after a thousand observations");
    model.advance(arm, 2900, workspace);
    FeatureVector x = FeatureVector.of(1, 0);
    assertEquals(1 / 51.0, arm.squaredWidth(x), TEST_TOLERANCE);
    assertTrue(arm.largestEigenvalue() >= 1 / 51.0, "bound " + arm.largestEigenvalue());
  }

  @Test
  void hostileInputIsRefusedByNameAndChangesNothing() {
    RidgeModel model = RidgeModel.of(3, 1);
    RidgeWorkspace workspace = new RidgeWorkspace(3);
    RidgeRegression arm = model.newArm();
    FeatureVector x = FeatureVector.of(1, 0, .5);
    model.learn(arm, x, 1, 1, workspace);
    RidgeRegression before = arm.copy();
    FeatureVector scratch = new FeatureVector(3);
    assertEquals(InputCheck.WRONG_DIMENSION, scratch.set(new double[] {1, 2}));
    assertEquals(InputCheck.NOT_FINITE, scratch.set(new double[] {1, Double.NaN, 2}));
    assertEquals(InputCheck.NOT_FINITE, scratch.set(new double[] {1, 0, Double.NEGATIVE_INFINITY}));
    assertEquals(InputCheck.TOO_LARGE, scratch.set(new double[] {1e300, 0, 0}));
    assertEquals(
        InputCheck.TOO_LARGE.meaning(),
        assertThrows(IllegalArgumentException.class, () -> FeatureVector.of(1e300, 0, 0))
            .getMessage(),
        "without the features, which may be sensitive");
    assertEquals(InputCheck.ADMITTED, scratch.set(new double[] {1e9, 0, 0}));
    assertEquals(InputCheck.TOO_LARGE, model.learn(arm, scratch, 1, 2, workspace));
    assertEquals(
        InputCheck.WRONG_DIMENSION,
        model.learn(arm, new FeatureVector(4), 1, 2, new RidgeWorkspace(4)));
    assertEquals(InputCheck.NOT_FINITE, model.learn(arm, x, Double.NaN, 2, workspace));
    assertEquals(InputCheck.TOO_LARGE, model.learn(arm, x, 1e300, 2, workspace));
    assertEquals(before, arm);
    assertEquals(InputCheck.ADMITTED, model.learn(arm, new FeatureVector(3), 1, 2, workspace));
    assertEquals(before.mean(x), arm.mean(x), "a zero vector teaches nothing");
  }

  /** The same features over and over, doubled features, and the largest that are admitted. */
  @Test
  void collinearAndLargeFeaturesStayAccurate() {
    RidgeModel model = RidgeModel.of(4, 1);
    RidgeWorkspace workspace = new RidgeWorkspace(4);
    RidgeRegression arm = model.newArm();
    PlainRidge plain = new PlainRidge(4, 1);
    double[][] tries = {{1, 1, 0, 0}, {.5, -.5, 0, 0}, {0, 0, 1, 2}, {0, 0, 2, -1}};
    for (int t = 1; t <= 20_000; t++) {
      double[] x = {1, 1, t % 2, 2 * (t % 2)};
      model.learn(arm, FeatureVector.of(x), t % 2, t, workspace);
      plain.observe(x, t % 2, 1);
    }
    assertAgrees(arm, plain, tries, "collinear");
    for (int t = 0; t < 50; t++) {
      double[] x = {700 + t, 700, 0, 0};
      model.learn(arm, FeatureVector.of(x), 1, t, workspace);
    }
    for (double[] x : tries) {
      assertTrue(Double.isFinite(arm.mean(FeatureVector.of(x))));
      assertTrue(arm.squaredWidth(FeatureVector.of(x)) <= 5);
    }
  }

  @Test
  void aCopySharesNothing() {
    RidgeModel model = new RidgeModel(2, 1, Forget.rounds(3));
    RidgeWorkspace workspace = new RidgeWorkspace(2);
    RidgeRegression arm = model.newArm();
    model.learn(arm, FeatureVector.of(1, 2), 1, 1, workspace);
    RidgeRegression copy = arm.copy();
    assertEquals(arm, copy);
    model.learn(copy, FeatureVector.of(2, 1), 1, 2, workspace);
    assertNotEquals(arm, copy);
    assertEquals(1, arm.n());
    model.learn(arm, FeatureVector.of(2, 1), 1, 2, workspace);
    assertEquals(arm, copy);
  }

  private static byte[] bytes(RidgeRegression arm) {
    return arm.toBytes();
  }

  @Test
  void theBytesAreGoldenAndReadBack() {
    RidgeModel model = RidgeModel.of(1, 1);
    RidgeRegression arm = model.newArm();
    String empty = HexFormat.of().formatHex(bytes(arm));
    assertEquals(
        "100000000001" // format 16, nothing, dimension 1
            + "3ff0000000000000" // lambda 1
            + "00000000000000000000000000000000" // n, round
            + "00000000" // since refresh
            + "3ff000000000000000000000000000003ff0000000000000" // rho, log det, eigenvalue
            + "3ff0000000000000", // factor of det 1
        empty);
    model.learn(arm, FeatureVector.of(1), .5, 7, new RidgeWorkspace(1));
    assertEquals(
        "100100000001" // format 16, with matrices, dimension 1
            + "3ff0000000000000" // lambda 1
            + "00000000000000010000000000000000" // n 1, round 0: nothing is forgotten
            + "00000001" // since refresh
            + "3ff000000000000000000000000000003ff0000000000000" // rho, log det, eigenvalue
            + "4000000000000000" // factor of det 2
            + "3fe0000000000000" // b 0.5
            + "3fd0000000000000" // theta 0.25
            + "3ff0000000000000" // G 1
            + "3fe0000000000000", // 1 / (1 + 1)
        HexFormat.of().formatHex(bytes(arm)));
    assertEquals(arm, StoredBytes.read(new RidgeRegression(), ByteBuffer.wrap(bytes(arm))));
    assertEquals(
        model.newArm(),
        StoredBytes.read(new RidgeRegression(), ByteBuffer.wrap(bytes(model.newArm()))));
  }

  @Test
  void bytesThatWereCutAreRejected() {
    RidgeModel model = RidgeModel.of(1, 1);
    RidgeRegression arm = model.newArm();
    model.learn(arm, FeatureVector.of(1), .5, 7, new RidgeWorkspace(1));
    byte[] whole = bytes(arm);
    ByteBuffer cut = ByteBuffer.wrap(whole, 0, whole.length - 1);
    assertThrows(
        IllegalArgumentException.class, () -> StoredBytes.read(new RidgeRegression(), cut));
  }

  @Test
  void theDeterminantDoesNotOverflow() {
    RidgeModel model = RidgeModel.of(1, 1);
    RidgeRegression arm = model.newArm();
    for (int n = 0; n < 120; n++) {
      arm.multiplyDeterminant(1e6);
    }
    assertEquals(120 * Math.log(1e6), arm.logDeterminant(), 1e-9);
    for (int n = 0; n < 240; n++) {
      arm.multiplyDeterminant(1e-6);
    }
    assertEquals(-120 * Math.log(1e6), arm.logDeterminant(), 1e-9);
  }

  /** Attributes of all levels are collinear: what a fresh inverse misses by grows with n. */
  @Test
  void collinearFeaturesAreNoReasonToInvertAtEveryCheck() {
    RidgeModel model = RidgeModel.of(8, 1);
    RidgeRegression arm = model.newArm();
    RidgeWorkspace workspace = new RidgeWorkspace(8);
    SplittableRandom random = new SplittableRandom(5);
    int refreshes = 0;
    int rewards = 400_000;
    for (int n = 1; n <= rewards; n++) {
      double[] x = new double[8];
      x[random.nextInt(4)] = 1;
      x[4 + random.nextInt(4)] = 1;
      model.learn(arm, FeatureVector.of(x), random.nextDouble(), n, workspace);
      refreshes += arm.sinceRefresh == 0 ? 1 : 0;
    }
    assertEquals(rewards / RidgeModel.REFRESH_EVERY, refreshes);
  }

  @Test
  void bytesThatCannotBeAnArmAreRefusedBeforeAllocation() {
    RidgeModel model = RidgeModel.of(3, 1);
    RidgeRegression arm = model.newArm();
    model.learn(arm, FeatureVector.of(1, 2, 3), .5, 1, new RidgeWorkspace(3));
    byte[] good = bytes(arm);
    byte[] wrongVersion = good.clone();
    wrongVersion[0] = 2;
    byte[] wrongFlags = good.clone();
    wrongFlags[1] = 8;
    byte[] huge = good.clone();
    huge[4] = 0x40;
    byte[] negative = good.clone();
    negative[2] = -1;
    byte[] tooShort = Arrays.copyOf(good, good.length - 1);
    for (byte[] bad : new byte[][] {wrongVersion, wrongFlags, huge, negative, tooShort}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> StoredBytes.read(new RidgeRegression(), ByteBuffer.wrap(bad)));
    }
  }
}
