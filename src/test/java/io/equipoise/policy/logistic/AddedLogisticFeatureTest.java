package io.equipoise.policy.logistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.constraint.OverlapDeficit;
import io.equipoise.policy.features.FeaturePlaces;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Learns with some features, goes on with more, and compares with a model that had all of them from
 * the start and the same prior precision.
 */
class AddedLogisticFeatureTest {
  private static final int FEW = 4;
  private static final int MANY = 7;
  private static final double S = 5;
  private static final LogisticScale SCALE = new LogisticScale(FEW, S);
  private static final LogisticScale LARGER = new LogisticScale(MANY, S, SCALE.lambda());
  private static final FeaturePlaces PLACES = new FeaturePlaces(new int[] {6, 0, 4, 2}, MANY);

  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void whatWasLearnedEqualsWhatTheLargerModelWouldHaveLearned() {
    StreamingModel grown = new StreamingModel(SCALE);
    StreamingModel larger = new StreamingModel(LARGER);
    for (int t = 0; t < 2500; t++) {
      double[] x = vector(FEW);
      double reward = random.nextInt(2);
      grown.learn(x, reward);
      larger.learn(PLACES.spread(x), reward);
    }
    grown = grown.spread(PLACES);
    assertClose(larger, grown);
    for (int t = 0; t < 300; t++) {
      double[] x = vector(MANY);
      double reward = random.nextInt(2);
      grown.learn(x, reward);
      larger.learn(x, reward);
    }
    assertClose(larger, grown);
    assertThat(StoredBytes.read(new StreamingModel(), bytes(grown))).isEqualTo(grown);
    double[] x = vector(MANY);
    ConfidenceRadius radius = ConfidenceRadius.ofAudit(0.05);
    assertThat(grown.estimate().radius(radius))
        .isCloseTo(larger.estimate().radius(radius), within(1e-9));
    assertThat(grown.optimistic(new double[][] {x}, radius)[0])
        .isCloseTo(larger.optimistic(new double[][] {x}, radius)[0], within(1e-9));
  }

  /** Two features leave, then one more, each after rewards that had them. */
  @Test
  void aModelThatFeaturesLeftIsTheOneThatKeepsThem() {
    StreamingModel all = new StreamingModel(LARGER);
    StreamingModel left = all.copy();
    int[] kept = {0, 1, 2, 3, 4, 5, 6};
    for (int[] next : new int[][] {{0, 2, 3, 5, 6}, {0, 2, 5, 6}}) {
      learn(all, left, new FeaturePlaces(kept, MANY));
      int[] places = new int[kept.length];
      for (int i = 0; i < places.length; i++) {
        places[i] =
            Arrays.binarySearch(next, kept[i]) < 0 ? -1 : Arrays.binarySearch(next, kept[i]);
      }
      left = left.spread(new FeaturePlaces(places, next.length));
      kept = next;
    }
    FeaturePlaces rest = new FeaturePlaces(kept, MANY);
    learn(all, left, rest);
    double[] x = vector(kept.length);
    double[] xc = vector(kept.length);
    ConfidenceRadius radius = ConfidenceRadius.ofAudit(0.05);
    ParameterEstimate reduced = left.estimate();
    ParameterEstimate whole = all.estimate();
    assertThat(reduced.mean(x)).isCloseTo(whole.mean(rest.spread(x)), within(1e-9));
    assertThat(reduced.radius(radius)).isCloseTo(whole.radius(radius), within(1e-9));
    assertThat(left.optimistic(new double[][] {x}, radius)[0])
        .isCloseTo(all.optimistic(new double[][] {rest.spread(x)}, radius)[0], within(1e-9));
    assertThat(reduced.local(x, xc).overlap().unsupportedShare())
        .isCloseTo(
            whole.local(rest.spread(x), rest.spread(xc)).overlap().unsupportedShare(),
            within(1e-9));
    assertThat(StoredBytes.read(StreamingModel.reduced(), bytes(left))).isEqualTo(left);
  }

  private void learn(StreamingModel all, StreamingModel left, FeaturePlaces rest) {
    for (int t = 0; t < 600; t++) {
      double[] x = vector(rest.count());
      double reward = random.nextInt(2);
      left.learn(x, reward);
      all.learn(rest.spread(x), reward);
    }
  }

  private double[] vector(int length) {
    double[] x = new double[length];
    x[random.nextInt(length / 2)] = Math.sqrt(0.5);
    x[length / 2 + random.nextInt(length - length / 2)] = Math.sqrt(0.5);
    return x;
  }

  private static void assertClose(StreamingModel larger, StreamingModel grown) {
    ParameterEstimate expected = larger.estimate();
    ParameterEstimate actual = grown.estimate();
    assertThat(actual.scale()).isEqualTo(expected.scale());
    assertThat(actual.rewards()).isEqualTo(expected.rewards());
    assertThat(actual.theta).containsExactly(expected.theta, within(1e-9));
    assertThat(actual.curvature.h.data).containsExactly(expected.curvature.h.data, within(1e-9));
    assertThat(actual.inverse().data).containsExactly(expected.inverse().data, within(1e-9));
    assertThat(actual.curvature.logDet()).isCloseTo(expected.curvature.logDet(), within(1e-9));
  }

  private static ByteBuffer bytes(StreamingModel model) {
    ByteBuffer bytes = StoredBytes.of(model);
    return bytes.flip();
  }

  @Test
  void aDesignKeepsItsRidgeAndItsWidths() {
    DesignBlock design = new DesignBlock(FEW);
    for (int t = 0; t < 50; t++) {
      design.add(vector(FEW));
    }
    DesignBlock wide = design.spread(PLACES);
    double[] x = vector(FEW);
    assertThat(wide.deviation(PLACES.spread(x))).isCloseTo(design.deviation(x), within(1e-12));
    assertThat(wide.radius(LARGER, 0.05)).isCloseTo(design.radius(SCALE, 0.05), within(1e-9));
    double[] fresh = new double[MANY];
    fresh[1] = 1;
    assertThat(wide.deviation(fresh)).isCloseTo(Math.sqrt(1.0 / FEW), within(1e-12));
    ByteBuffer bytes = StoredBytes.of(wide);
    assertThat(StoredBytes.read(new DesignBlock(false), bytes.flip())).isEqualTo(wide);
  }

  @Test
  void aDesignThatFeaturesLeftHasTheWidthsOfTheOneThatKeepsThem() {
    FeaturePlaces kept = new FeaturePlaces(new int[] {0, -1, 1, 2, -1, 3, 4}, MANY - 2);
    FeaturePlaces back = new FeaturePlaces(new int[] {0, 2, 3, 5, 6}, MANY);
    DesignBlock all = new DesignBlock(MANY);
    for (int t = 0; t < 200; t++) {
      all.add(vector(MANY));
    }
    DesignBlock left = all.copy().spread(kept);
    for (int t = 0; t < 200; t++) {
      double[] x = vector(MANY - 2);
      left.add(x);
      all.add(back.spread(x));
    }
    ByteBuffer bytes = StoredBytes.of(left).flip();
    DesignBlock read = StoredBytes.read(new DesignBlock(left.hasLost()), bytes);
    assertThat(left.hasLost()).isTrue();
    assertThat(bytes.remaining()).isZero();
    assertThat(read).isEqualTo(left);
    double[] x = vector(MANY - 2);
    for (DesignBlock one : new DesignBlock[] {left, read}) {
      assertThat(one.deviation(x)).isCloseTo(all.deviation(back.spread(x)), within(1e-12));
      assertThat(one.radius(LARGER, 0.05)).isCloseTo(all.radius(LARGER, 0.05), within(1e-9));
    }
  }

  @Test
  void aNeedStaysWhereItsFeaturesGo() {
    OverlapDeficit need = new OverlapDeficit(FEW);
    ByteBuffer bytes = StoredBytes.of(need);
    for (int i = 0; i < FEW * FEW; i++) {
      bytes.putDouble(bytes.capacity() - Double.BYTES * (FEW * FEW - i), i + 1);
    }
    ByteBuffer wide =
        StoredBytes.of(StoredBytes.read(new OverlapDeficit(0), bytes.flip()).spread(PLACES));
    double sum = 0;
    int header = wide.capacity() - Double.BYTES * MANY * MANY;
    for (int i = 0; i < FEW; i++) {
      for (int j = 0; j < FEW; j++) {
        int at = PLACES.of(i) * MANY + PLACES.of(j);
        assertThat(wide.getDouble(header + Double.BYTES * at)).isEqualTo(i * FEW + j + 1);
      }
    }
    for (int i = 0; i < MANY * MANY; i++) {
      sum += wide.getDouble(header + Double.BYTES * i);
    }
    assertThat(sum).isEqualTo(FEW * FEW * (FEW * FEW + 1) / 2.0);
  }
}
