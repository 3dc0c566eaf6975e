package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.logistic.StreamingModel.ImplicitStep;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

class StreamingModelTest {
  private static final boolean IS_FULL = Tier.isFull();

  static double[] unit(SplittableRandom random, int n) {
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextDouble(-1, 1);
    }
    return Vectors.scaled(1 / Vectors.norm(x), x);
  }

  static void learn(LogisticModel model, SplittableRandom random, int rewards) {
    int n = model.scale().n();
    for (int i = 0; i < rewards; i++) {
      double[] x = unit(random, n);
      model.learn(x, random.nextDouble() < Logistic.mean(3 * x[0] - 2 * x[n - 1]) ? 1 : 0);
    }
  }

  private static double distanceFromIdentity(Curvature curvature) {
    DMatrixRMaj product = new DMatrixRMaj(1, 1);
    CommonOps_DDRM.mult(curvature.h, curvature.inverse, product);
    double distance = 0;
    for (int row = 0; row < product.numRows; row++) {
      for (int column = 0; column < product.numCols; column++) {
        double wanted = row == column ? 1 : 0;
        distance = Math.max(distance, Math.abs(product.get(row, column) - wanted));
      }
    }
    return distance;
  }

  @Test
  void theFirstRewardMovesThetaToTheRootOfTheImplicitStep() {
    StreamingModel model = new StreamingModel(new LogisticScale(1, 1));
    assertEquals(1, model.scale().lambda());
    model.learn(new double[] {1}, 1);
    assertEquals(0.4010581375, model.estimate().parameter()[0], 1e-10);
  }

  @Test
  void theImplicitStepMinimizesLossAndDistanceTogether() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 200; i++) {
      double z0 = random.nextDouble(-8, 8);
      double q = StrictMath.exp(random.nextDouble(-6, 4));
      double y = random.nextInt(2);
      double low = z0 - q;
      double high = z0 + q;
      for (int section = 0; section < 200; section++) {
        double third = (high - low) / 3;
        boolean isLeft = objective(low + third, z0, q, y) < objective(high - third, z0, q, y);
        high = isLeft ? high - third : high;
        low = isLeft ? low : low + third;
      }
      double z = ImplicitStep.solve(z0, q, y);
      String where = "z0 " + z0 + ", q " + q + ", y " + y;
      assertEquals(0, z - z0 + q * (Logistic.mean(z) - y), 1e-9, where);
      assertEquals(low, z, 1e-5, where);
    }
  }

  /** Half the squared distance in the norm of H, along the only direction that moves, and loss. */
  private static double objective(double z, double z0, double q, double y) {
    return (z - z0) * (z - z0) / (2 * q) + Logistic.softplus(z) - y * z;
  }

  @Test
  void theInverseStaysTheInverse() {
    StreamingModel model = new StreamingModel(new LogisticScale(6, 5));
    learn(model, new SplittableRandom(11), IS_FULL ? 1_000_000 : 100_000);
    double distance = distanceFromIdentity(model.estimate().curvature);
    assertTrue(distance < 1e-6, "H H^-1 is off by " + distance);
  }

  @Test
  void theParameterComesCloseToTheTruth() {
    StreamingModel model = new StreamingModel(new LogisticScale(3, 5));
    learn(model, new SplittableRandom(12), 50_000);
    assertArrayEquals(new double[] {3, 0, -2}, model.estimate().parameter(), .15);
  }

  @Test
  void theStateHasTheSameSizeAfterAHundredAndAfterManyRewardsAndComesBackFromItsBytes() {
    StreamingModel model = new StreamingModel(new LogisticScale(4, 5));
    SplittableRandom random = new SplittableRandom(13);
    learn(model, random, 100);
    int bytes = model.byteLength();
    assertEquals(29 + 8 * (2 * 16 + 4), bytes);
    learn(model, random, 9900);
    assertEquals(bytes, model.byteLength());
    ByteBuffer out = StoredBytes.of(model);
    StreamingModel restored = StoredBytes.read(new StreamingModel(), out.flip());
    assertEquals(model, restored);
    StreamingModel copy = model.copy();
    learn(model, new SplittableRandom(14), 1500);
    learn(restored, new SplittableRandom(14), 1500);
    learn(copy, new SplittableRandom(14), 1500);
    assertEquals(model, restored);
    assertEquals(model, copy);
  }

  @Test
  void bytesThatAreCutOrOfAnotherVersionAreRefused() {
    StreamingModel model = new StreamingModel(new LogisticScale(4, 5));
    byte[] bytes = model.toBytes();
    ByteBuffer cut = ByteBuffer.wrap(bytes, 0, bytes.length - 1);
    assertThrows(IllegalArgumentException.class, () -> StoredBytes.read(new StreamingModel(), cut));
    byte[] huge = bytes.clone();
    huge[1] = 0x7f;
    assertThrows(
        IllegalArgumentException.class,
        () -> StoredBytes.read(new StreamingModel(), ByteBuffer.wrap(huge)));
    byte[] other = bytes.clone();
    other[0] = 9;
    assertThrows(
        IllegalArgumentException.class,
        () -> StoredBytes.read(new StreamingModel(), ByteBuffer.wrap(other)));
  }
}
