package io.equipoise.policy.linear;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.Experience;
import io.equipoise.policy.LevelMap;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segmentspec.SpecParser;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Learns under a spec, goes on under one with more levels in another order, and compares with a
 * model that had all of them from the start.
 */
class AddedRidgeFeatureTest {
  private static final String PRODUCTS =
      "features: [intercept, product: [one-hot: A, one-hot: X], level: {of: X, is: high},"
          + " match: [X, A], product: [one-hot: S, product: [one-hot: X, one-hot: A]]]";

  /** Where levels of A and of X stand in the larger spec. */
  private static final int[] ACTIONS = {2, 0};

  private static final int[] CONTEXTS = {1, 2};

  private final SplittableRandom random = new SplittableRandom(1);

  private static SpecVariant spec(String policy) {
    return SpecVariant.of(policy).levels("A", "left", "high").levels("X", "low", "high");
  }

  private static LinearPolicy compiled(SpecVariant spec) {
    return LinearPolicy.compile(SpecParser.parse(spec.text()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linucb",
        "linucb, model: shared, ridge: 0.3",
        "linucb, model: shared, features: [one-hot: A]",
        "linucb, " + PRODUCTS,
        "linucb, model: shared, " + PRODUCTS,
        "linucb, model: shared, forget: {discount: 0.97}, " + PRODUCTS,
        "linucb, model: shared, forget: {rounds: 50}",
        "linucb-unaware, model: shared"
      })
  void whatWasLearnedEqualsWhatTheLargerSpecWouldHaveLearned(String policy) {
    LinearPolicy few = compiled(spec(policy));
    LinearPolicy many =
        compiled(spec(policy).levels("A", "high", "up", "left").levels("X", "mid", "low", "high"));
    LevelMap levels = many.extensionOf(few);
    assertNotNull(levels);
    MemoryModelState grown = new MemoryModelState();
    MemoryModelState larger = new MemoryModelState();
    for (int t = 1; t <= 1500; t++) {
      int[] person = {random.nextInt(2), random.nextInt(2)};
      int arm = random.nextInt(2);
      double reward = random.nextInt(5) / 4.0;
      int[] moved = {person[0], CONTEXTS[person[1]]};
      few.learn(grown, experience(person, arm, arm, reward), t);
      many.learn(larger, experience(moved, ACTIONS[arm], arm, reward), t);
      assertThat(levels.features(person)).isEqualTo(moved);
    }
    assertThat(many.translated(new double[] {0}, levels)).containsExactly(ACTIONS[0]);
    many.extend(few, levels, grown);
    assertClose(larger, grown);
    for (int t = 1501; t <= 1600; t++) {
      int[] person = {random.nextInt(2), random.nextInt(3)};
      int arm = random.nextInt(3);
      Experience next = experience(person, arm, arm, random.nextInt(5) / 4.0);
      many.learn(grown, next, t);
      many.learn(larger, next, t);
    }
    assertClose(larger, grown);
  }

  private static Experience experience(int[] person, int level, int position, double reward) {
    return new Experience(person, new double[] {level}, 0, position, new int[] {1}, reward);
  }

  /** Sums are equal bit for bit, what is computed from them up to the order of sums. */
  private static void assertClose(MemoryModelState expected, MemoryModelState actual) {
    int compared = 0;
    for (Map.Entry<Long, StateBlock> entry : expected.entries()) {
      if (entry.getValue() instanceof RidgeRegression larger) {
        RidgeRegression grown = (RidgeRegression) actual.get(entry.getKey());
        assertNotNull(grown);
        assertEquals(larger.n, grown.n);
        assertEquals(larger.dimension, grown.dimension);
        assertEquals(larger.rho, grown.rho);
        assertEquals(larger.sinceRefresh, grown.sinceRefresh);
        assertEquals(larger.window, grown.window);
        assertThat(grown.b).containsExactly(larger.b);
        for (int i = 0; i < larger.dimension; i++) {
          for (int j = 0; j <= i; j++) {
            int place = SymmetricMatrix.place(larger.dimension, i, j);
            assertEquals(larger.gram[place], grown.gram[place]);
          }
        }
        assertThat(grown.theta).containsExactly(larger.theta, within(1e-9));
        assertThat(grown.inverse).containsExactly(larger.inverse, within(1e-9));
        assertThat(grown.logDeterminant()).isCloseTo(larger.logDeterminant(), within(1e-9));
        double bound = larger.largestEigenvalue();
        assertThat(grown.largestEigenvalue()).isCloseTo(bound, within(1e-6 * bound));
        compared++;
      }
    }
    assertThat(compared).isPositive();
  }

  /** The order of features turns one of the contrasts. */
  @Test
  void anIntervalStaysWhereItIsAsLongAsNothingIsLearned() {
    FeatureVector kept = FeatureVector.of(0, 0, 1, -1);
    FeatureVector turned = FeatureVector.of(1, -1, 0, 0);
    FeaturePlaces places = new FeaturePlaces(new int[] {5, 2, 0, 1}, 6);
    RidgeModel model = RidgeModel.of(4, 1);
    RidgeRegression arm = model.newArm();
    ContrastBlock block = ContrastBlock.of(plan(List.of(kept, turned)), 4);
    block.adopt(plan(List.of(kept, turned)), 0, 1, true);
    RidgeWorkspace workspace = new RidgeWorkspace(4);
    for (int t = 1; t <= 4000; t++) {
      double[] x = new double[4];
      int one = random.nextInt(2);
      int other = random.nextInt(2);
      x[one] = 1;
      x[2 + other] = 1;
      double reward = random.nextDouble() < 0.3 + 0.2 * one + 0.1 * other ? 1 : 0;
      model.learn(arm, block, FeatureVector.of(x), reward, t, workspace);
    }
    Contrast keptBefore = block.of(arm, kept);
    Contrast turnedBefore = block.of(arm, turned);
    assertNotNull(keptBefore);
    assertNotNull(turnedBefore);
    assertThat(turnedBefore.upper()).isNegative();
    RidgeRegression wideArm = arm.spread(places);
    ContrastBlock wide = block.spread(places, List.of());
    FeatureVector keptThen = FeatureVector.of(1, -1, 0, 0, 0, 0);
    FeatureVector turnedThen = FeatureVector.of(0, 0, 1, 0, 0, -1);
    wide.adopt(plan(List.of(turnedThen, keptThen)), 0, 1, true);
    Contrast keptAfter = wide.of(wideArm, keptThen);
    Contrast turnedAfter = wide.of(wideArm, turnedThen);
    assertNotNull(keptAfter);
    assertNotNull(turnedAfter);
    assertEquals(2, wide.size(), "no contrast starts empty");
    assertThat(keptAfter.information()).isPositive();
    assertThat(keptAfter.lower()).isCloseTo(keptBefore.lower(), within(1e-9));
    assertThat(keptAfter.upper()).isCloseTo(keptBefore.upper(), within(1e-9));
    assertThat(turnedAfter.lower()).isCloseTo(-turnedBefore.upper(), within(1e-9));
    assertThat(turnedAfter.upper()).isCloseTo(-turnedBefore.lower(), within(1e-9));
  }

  /** Three times features leave; other features, never seen, take their places: d stays. */
  @Test
  void whatFeaturesThatLeftHaveShownCountsForEverForThoseThatStay() {
    int d = 60;
    int stay = 8;
    RidgeModel model = RidgeModel.of(d, 0.3);
    List<FeatureVector> known = List.of(apart(d, 0, 1), apart(d, 2, 3), apart(d, 4, 6));
    ContrastPlan plan = plan(Stream.concat(known.stream(), Stream.of(apart(d, 8, 9))).toList());
    RidgeRegression full = model.newArm();
    RidgeRegression left = model.newArm();
    ContrastBlock ofFull = ContrastBlock.of(plan, d);
    ContrastBlock ofLeft = ContrastBlock.of(plan, d);
    ofFull.adopt(plan, 0, 1, true);
    ofLeft.adopt(plan, 0, 1, true);
    RidgeWorkspace workspace = new RidgeWorkspace(d);
    int gone = stay;
    for (int t = 1; t <= 4000; t++) {
      double[] x = new double[d];
      int pair = random.nextInt(2);
      int other = random.nextInt(2);
      x[pair] = 1;
      x[2 + other] = 1;
      x[4 + random.nextInt(4)] = random.nextInt(3) - 0.5;
      x[gone + random.nextInt(d - gone)] = 1;
      x[gone + random.nextInt(5)] = random.nextDouble();
      double reward = random.nextDouble() < 0.3 + 0.2 * pair + 0.1 * other ? 1 : 0;
      model.learn(full, ofFull, FeatureVector.of(x), reward, t, workspace);
      model.learn(left, ofLeft, FeatureVector.of(x), reward, t, workspace);
      if (t == 700 || t == 2300 || t == 3100) {
        int upTo = gone + 11;
        int[] places = IntStream.range(0, d).toArray();
        Arrays.fill(places, gone, upTo, -1);
        gone = upTo;
        FeaturePlaces to = new FeaturePlaces(places, d);
        ofLeft = ofLeft.spread(to, left.copy().eliminate(to));
        ofLeft.adopt(plan(known), 0, 1, true);
        ofFull.adopt(plan(known), 0, 1, true);
        left = StoredBytes.read(new RidgeRegression(), StoredBytes.of(left.spread(to)).flip());
        assertEquals(known.size(), ofLeft.size(), "a contrast of what left ends");
      }
      if (t % 500 == 0 || t == 701) {
        assertAlike(full, left, x);
        for (FeatureVector c : known) {
          assertAlike(full, ofFull, left, ofLeft, c);
        }
      }
    }
  }

  private static FeatureVector apart(int d, int one, int other) {
    double[] c = new double[d];
    c[one] = 1;
    c[other] = -1;
    return FeatureVector.of(c);
  }

  private static void assertAlike(RidgeRegression full, RidgeRegression left, double[] x) {
    FeatureVector features = FeatureVector.of(x);
    assertThat(left.mean(features)).isCloseTo(full.mean(features), within(1e-9));
    assertThat(left.squaredWidth(features)).isCloseTo(full.squaredWidth(features), within(1e-9));
    assertThat(left.logDeterminant()).isCloseTo(full.logDeterminant(), within(1e-9));
  }

  private static void assertAlike(
      RidgeRegression full,
      ContrastBlock ofFull,
      RidgeRegression left,
      ContrastBlock ofLeft,
      FeatureVector c) {
    Contrast expected = requireNonNull(ofFull.of(full, c));
    Contrast actual = requireNonNull(ofLeft.of(left, c));
    assertThat(actual.information()).isPositive();
    assertThat(actual.information()).isCloseTo(expected.information(), within(1e-6));
    assertThat(actual.imbalance()).isCloseTo(expected.imbalance(), within(1e-9));
    assertThat(actual.lower()).isCloseTo(expected.lower(), within(1e-9));
    assertThat(actual.upper()).isCloseTo(expected.upper(), within(1e-9));
    assertThat(actual.squares(left)).isCloseTo(expected.squares(full), within(1e-9));
    assertThat(actual.variance(left)).isCloseTo(expected.variance(full), within(1e-9));
  }

  private static ContrastPlan plan(List<FeatureVector> known) {
    return new ContrastPlan(
        known,
        1,
        new ContrastPlan.Terms(0.05, 0.1, 0, 1, Double.NaN, false, 10),
        new Radius.SelfNormalized(0.5, 1, 0.005));
  }
}
