package io.equipoise.lab.cclb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterfactualFeaturesTest {
  /** [first attribute / 10, second attribute / 10, context, decision]. */
  private static final CclbFeatureMap MAP =
      new CclbFeatureMap() {
        @Override
        public int dimension() {
          return 4;
        }

        @Override
        public void write(int[] sensitive, double[] context, double[] decision, double[] out) {
          out[0] = sensitive[0] / 10.0;
          out[1] = sensitive[1] / 10.0;
          out[2] = context[0];
          out[3] = decision[0];
        }
      };

  private static final List<double[]> DECISIONS =
      List.of(new double[] {.1}, new double[] {.2}, new double[] {.3});

  @Test
  void everyOtherLevelOfAnAttributeIsAnAlternativeAndTheRestIsHeld() {
    CounterfactualFeatures features =
        new CounterfactualFeatures(MAP, new int[] {3, 2}, new int[][] {{0}, {1}});
    LogisticRequest request = features.request(new int[] {1, 0}, new double[] {.5}, DECISIONS);
    assertEquals(3, request.size());
    assertEquals(
        List.of(
            List.of(new Alternative(0, 1, 0, true), new Alternative(0, 1, 2, true)),
            List.of(new Alternative(1, 0, 1, true))),
        request.alternatives());
    EncodedCandidate last = request.candidates().get(2);
    assertArrayEquals(new double[] {.1, 0, .5, .3}, last.x());
    assertArrayEquals(new double[] {0, 0, .5, .3}, last.counterfactuals()[0][0]);
    assertArrayEquals(new double[] {.2, 0, .5, .3}, last.counterfactuals()[0][1]);
    assertArrayEquals(new double[] {.1, .1, .5, .3}, last.counterfactuals()[1][0]);
  }

  @Test
  void theCandidatesMayDifferFromRequestToRequest() {
    CounterfactualFeatures features =
        new CounterfactualFeatures(MAP, new int[] {3, 2}, new int[][] {{0}});
    int[] person = {0, 0};
    assertEquals(3, features.request(person, new double[] {0}, DECISIONS).size());
    List<double[]> one = List.of(new double[] {.7});
    assertEquals(1, features.request(person, new double[] {0}, one).size());
    assertThrows(
        IllegalArgumentException.class,
        () -> features.request(person, new double[] {0}, List.of()));
  }

  @Test
  void anIntersectionHasAllOtherJointLevelsAsAlternatives() {
    CounterfactualFeatures features =
        new CounterfactualFeatures(MAP, new int[] {3, 2}, new int[][] {{0, 1}});
    LogisticRequest request = features.request(new int[] {2, 1}, new double[] {0}, DECISIONS);
    assertEquals(5, request.alternatives().get(0).size());
    assertEquals(new Alternative(2, 5, 3, true), request.alternatives().get(0).get(3));
    double[][] others = request.candidates().get(0).counterfactuals()[0];
    assertArrayEquals(new double[] {.1, .1, 0, .1}, others[3]);
  }

  @Test
  void tooManyJointLevelsAndUnknownAttributesAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new CounterfactualFeatures(MAP, new int[] {9, 8}, new int[][] {{0, 1}}));
    assertThrows(
        IllegalArgumentException.class,
        () -> new CounterfactualFeatures(MAP, new int[] {2, 2}, new int[][] {{2}}));
    assertThrows(
        IllegalArgumentException.class,
        () -> new CounterfactualFeatures(MAP, new int[] {2, 2}, new int[][] {{}}));
    CounterfactualFeatures features =
        new CounterfactualFeatures(MAP, new int[] {8, 8}, new int[][] {{0, 1}});
    assertThrows(
        IllegalArgumentException.class,
        () -> features.request(new int[] {8, 0}, new double[] {0}, DECISIONS));
  }

  @Test
  void normalizedFeaturesHaveNormOneAndAZeroVectorStaysOne() {
    CclbFeatureMap unit = MAP.normalized();
    double[] out = new double[4];
    unit.write(new int[] {3, 0}, new double[] {.4}, new double[] {0}, out);
    assertArrayEquals(new double[] {.6, 0, .8, 0}, out, 1e-15);
    unit.write(new int[] {0, 0}, new double[] {0}, new double[] {0}, out);
    assertArrayEquals(new double[4], out);
  }
}
