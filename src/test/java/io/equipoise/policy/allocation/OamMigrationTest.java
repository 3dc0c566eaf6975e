package io.equipoise.policy.allocation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.allocation.OamRule.OamState;
import io.equipoise.policy.features.FeaturePlaces;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

/**
 * Statistics that go on in a table with other arms, against a regression over all that was seen.
 */
class OamMigrationTest {
  /** Two contexts, features: intercept, context, arms a, b, c; the third arm is retired. */
  private static final OamTable THREE = table(3, 5);

  private static final OamTable TWO = table(2, 5);
  private static final FeaturePlaces SAME = new FeaturePlaces(new int[] {0, 1, 2, 3, 4}, 5);
  private static final int[] WITHOUT_THE_THIRD = {0, 1, -1, 2, 3, -1};

  private final SplittableRandom random = new SplittableRandom(5);
  private final DMatrixRMaj gram = CommonOps_DDRM.identity(5);
  private final DMatrixRMaj b = new DMatrixRMaj(5, 1);

  private static double[] features(int row, int arms, int dimension) {
    double[] x = new double[dimension];
    x[0] = 1;
    int context = row / arms;
    x[1] = context;
    x[2 + row % arms] = 1;
    return x;
  }

  private static OamTable table(int arms, int dimension) {
    double[][] features = new double[2 * arms][];
    for (int row = 0; row < features.length; row++) {
      features[row] = features(row, arms, dimension);
    }
    return new OamTable(2, arms, features);
  }

  /** A tiny ridge makes the regression over everything solvable; it moves means by as little. */
  private OamStatistics learned(OamTable table, int arms, int... times) {
    CommonOps_DDRM.scale(1e-7, gram);
    OamStatistics statistics = new OamStatistics(table);
    for (int row = 0; row < times.length; row++) {
      for (int i = 0; i < times[row]; i++) {
        double reward = random.nextDouble();
        statistics.learn(table, row, reward);
        see(features(row, arms, 5), reward);
      }
    }
    return statistics;
  }

  private void see(double[] x, double reward) {
    AllocationProblem.addSquare(gram, 1, x);
    for (int i = 0; i < x.length; i++) {
      b.add(i, 0, reward * x[i]);
    }
  }

  private void assertEqualsRegression(OamTable table, int arms, OamStatistics statistics) {
    DMatrixRMaj inverse = new DMatrixRMaj(5, 5);
    CommonOps_DDRM.invert(gram, inverse);
    DMatrixRMaj theta = new DMatrixRMaj(5, 1);
    CommonOps_DDRM.mult(inverse, b, theta);
    for (int row = 0; row < table.size(); row++) {
      double[] x = features(row, arms, 5);
      double mean = OamTable.dot(x, theta.getData());
      DMatrixRMaj ofRow = DMatrixRMaj.wrap(5, 1, x);
      DMatrixRMaj half = new DMatrixRMaj(5, 1);
      CommonOps_DDRM.mult(inverse, ofRow, half);
      double width = OamTable.dot(x, half.getData());
      assertEquals(mean, statistics.mean(table.x(row)), 1e-5, "mean of row " + row);
      assertEquals(width, statistics.squaredWidth(table.x(row)), 1e-5, "width of row " + row);
    }
  }

  /** A restart reads what was written, and must go on with the same bits. */
  @Test
  void statisticsThatWereWrittenAfterAMigrationGoOnAsThoseInMemory() {
    for (int i = 0; i < 50; i++) {
      OamStatistics three = learned(THREE, 3, 4, 3, 9, 2, 6, 5);
      OamMigration without = new OamMigration(THREE, TWO, SAME, WITHOUT_THE_THIRD);
      OamMigration back = new OamMigration(TWO, THREE, SAME, new int[] {0, 1, 3, 4});
      OamStatistics two = without.carried(three);
      ByteBuffer bytes = StoredBytes.of(two);
      OamStatistics read = StoredBytes.read(new OamStatistics(), bytes.flip());
      assertEquals(back.carried(two), back.carried(read));
      two.learn(TWO, 1, .3);
      read.learn(TWO, 1, .3);
      assertEquals(two, read);
    }
  }

  @Test
  void withoutAnArmTheOthersAreKnownAsByTheRegressionOverEverything() {
    OamStatistics three = learned(THREE, 3, 4, 3, 9, 2, 6, 5);
    OamStatistics two = new OamMigration(THREE, TWO, SAME, WITHOUT_THE_THIRD).carried(three);
    assertEqualsRegression(TWO, 2, two);
    assertArrayEquals(new long[] {4, 3, 2, 6}, two.pulls);
    assertTrue(two.isSpanned());
    for (int i = 0; i < 20; i++) {
      int row = i % 4;
      double reward = random.nextDouble();
      two.learn(TWO, row, reward);
      see(features(row, 2, 5), reward);
    }
    assertEqualsRegression(TWO, 2, two);
  }

  @Test
  void aNewArmStartsUnknownAndTheOthersGoOn() {
    OamStatistics two = learned(TWO, 2, 4, 3, 2, 6);
    int[] rows = {0, 1, 3, 4};
    OamStatistics three = new OamMigration(TWO, THREE, SAME, rows).carried(two);
    assertArrayEquals(new long[] {4, 3, 0, 2, 6, 0}, three.pulls);
    assertEquals(false, three.isSpanned());
    assertTrue(OamTable.enlarges(THREE.span(three.pulls), THREE.x(2)));
    three.learn(THREE, 2, .5);
    see(features(2, 3, 5), .5);
    assertTrue(three.isSpanned());
    assertEqualsRegression(THREE, 3, three);
  }

  @Test
  void anArmThatComesBackIsUnknownAgainAndNothingElseIs() {
    OamStatistics before = learned(THREE, 3, 4, 3, 9, 2, 6, 5);
    OamStatistics two = new OamMigration(THREE, TWO, SAME, WITHOUT_THE_THIRD).carried(before);
    OamStatistics again = new OamMigration(TWO, THREE, SAME, new int[] {0, 1, 3, 4}).carried(two);
    assertArrayEquals(new long[] {4, 3, 0, 2, 6, 0}, again.pulls);
    assertEquals(
        two.mean(TWO.x(3)), again.mean(THREE.x(4)), 1e-12, "the second arm of the other context");
    assertEquals(two.squaredWidth(TWO.x(0)), again.squaredWidth(THREE.x(0)), 1e-12);
  }

  @Test
  void whatOnlyARetiredArmShowedIsForgotten() {
    OamStatistics three = learned(THREE, 3, 0, 3, 4, 0, 0, 5);
    OamStatistics two = new OamMigration(THREE, TWO, SAME, WITHOUT_THE_THIRD).carried(three);
    assertEquals(1, TWO.span(two.pulls).size(), "only the second arm in the first context");
    double mean = three.mean(THREE.x(1));
    assertEquals(mean, two.mean(TWO.x(1)), 1e-12);
    assertEquals(1 / 3., two.squaredWidth(TWO.x(1)), 1e-12);
  }

  @Test
  void featuresMoveWithTheLevels() {
    OamStatistics two = learned(TWO, 2, 4, 3, 2, 6);
    FeaturePlaces moved = new FeaturePlaces(new int[] {0, 5, 2, 1, 4}, 6);
    double[][] wide = new double[4][];
    for (int row = 0; row < 4; row++) {
      wide[row] = moved.spread(features(row, 2, 5));
    }
    OamTable later = new OamTable(2, 2, wide);
    OamStatistics carried =
        new OamMigration(TWO, later, moved, new int[] {0, 1, 2, 3}).carried(two);
    for (int row = 0; row < 4; row++) {
      assertEquals(two.mean(TWO.x(row)), carried.mean(later.x(row)), 1e-12);
      assertEquals(two.squaredWidth(TWO.x(row)), carried.squaredWidth(later.x(row)), 1e-12);
    }
  }

  @Test
  void aLateRewardOfARetiredArmIsLearnedIfOtherArmsSpanItsFeatures() {
    OamRule rule = new OamRule(TWO, new OamSchedule(100, TWO.dimension, 1, 0, 0));
    OamState state = new OamState(learned(TWO, 2, 4, 3, 2, 6), new OamPlan(TWO.size()));
    double before = state.statistics().squaredWidth(TWO.x(0));
    rule.learnRetired(state, new double[] {1, 0, 0, 0, 1}, 1);
    assertEquals(before, state.statistics().squaredWidth(TWO.x(0)), "nothing shows its own part");
    double[] both = {1, 0, .5, .5, 0};
    rule.learnRetired(state, both, 1);
    see(both, 1);
    assertEqualsRegression(TWO, 2, state.statistics());
    assertArrayEquals(new long[] {4, 3, 2, 6}, state.statistics().pulls, "it has no row");
  }

  @Test
  void aPlanIsSolvedAgainAndItsRoundsStayCounted() {
    OamPlan before = new OamPlan(THREE.size());
    before.explored = 42;
    before.exploredWhenSolved = 41;
    before.keptWhenSolved.set(1);
    OamPlan plan = new OamMigration(THREE, TWO, SAME, WITHOUT_THE_THIRD).carried(before);
    OamPlan expected = new OamPlan(TWO.size());
    expected.explored = 42;
    assertEquals(expected, plan);
  }
}
