package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.policy.features.Entries;
import io.equipoise.policy.features.FeatureEncoder;
import io.equipoise.policy.features.Profile;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.FeatureTerm;
import io.equipoise.segmentspec.Missing;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FeatureVectorTest {
  private static final int DIMENSION = 30;

  /** Makes numbers into features, each as it is. */
  private static final FeatureEncoder ENCODER =
      new FeatureEncoder(
          new FeatureMap(
              IntStream.range(0, DIMENSION)
                  .<FeatureTerm>mapToObj(i -> new FeatureTerm.Numeric("v" + i, 0, 1))
                  .toList()),
          IntStream.range(0, DIMENSION).mapToObj(FeatureVectorTest::variable).toList(),
          List.of());

  private static SpecVariable variable(int number) {
    return new SpecVariable(
        "v" + number,
        VariableRole.CONTEXT,
        List.of("[-9,9]"),
        Missing.REJECT,
        -1,
        new NumberRange(-9, 9),
        new double[0]);
  }

  private static InputCheck set(FeatureVector vector, double[] numbers) {
    Entries entries = new Entries();
    ENCODER.encode(new Profile(new int[DIMENSION], numbers), Profile.of(), entries);
    return vector.set(entries);
  }

  @Test
  void aVectorOfEntriesIsThatOfAllValues() {
    SplittableRandom random = new SplittableRandom(1);
    FeatureVector vector = new FeatureVector(DIMENSION);
    for (int round = 0; round < 300; round++) {
      double[] numbers = new double[DIMENSION];
      for (int entry = random.nextInt(DIMENSION); entry > 0; entry--) {
        numbers[random.nextInt(DIMENSION)] = random.nextDouble(-9, 9);
      }
      FeatureVector expected = FeatureVector.of(numbers);
      assertEquals(InputCheck.ADMITTED, set(vector, numbers));
      assertArrayEquals(expected.values(), vector.values());
      assertEquals(expected.isSparse(), vector.isSparse());
      assertEquals(expected.squaredNorm(), vector.squaredNorm());
      assertEquals(expected.norm(), vector.norm());
      for (int k = 0; vector.isSparse() && k < expected.nonzeros(); k++) {
        assertEquals(expected.nonzeros(), vector.nonzeros());
        assertEquals(expected.index(k), vector.index(k));
        assertEquals(expected.nonzero(k), vector.nonzero(k));
      }
    }
  }

  @Test
  void whatCannotBeComputedWithIsRefusedAndChangesNothing() {
    FeatureVector vector = new FeatureVector(DIMENSION);
    double[] numbers = new double[DIMENSION];
    numbers[3] = 2;
    set(vector, numbers);
    numbers[4] = 1e200;
    assertEquals(InputCheck.TOO_LARGE, set(vector, numbers));
    numbers[4] = Double.NaN;
    assertEquals(InputCheck.NOT_FINITE, set(vector, numbers));
    assertEquals(2, vector.value(3));
    assertEquals(0, vector.value(4));
    assertEquals(4, vector.squaredNorm());
  }
}
