package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.cclb.CounterfactualFeatures;
import io.equipoise.lab.cclb.ExactModel;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs that break a careless logistic regression: every outcome is defined, no state is NaN. */
@Tag("slow")
class HostileInputTest {
  private static final double[] E1 = {1, 0, 0};
  private static final double[] E2 = {0, 1, 0};
  private static final double[] ZERO = {0, 0, 0};

  private static LogisticRequest request(double[]... xs) {
    List<EncodedCandidate> candidates =
        java.util.Arrays.stream(xs)
            .map(x -> CounterfactualFeatures.candidate(x, new double[][][] {{E2}}))
            .toList();
    return new LogisticRequest(
        candidates, List.of(List.of(new Alternative(0, 0, 1, true))), List.of());
  }

  private static void assertFinite(LogisticState state) {
    StreamingModel model = (StreamingModel) state.model();
    ByteBuffer bytes = StoredBytes.of(model);
    bytes.flip().position(21);
    int n = state.model().scale().n();
    for (int i = 0; i < n + 2 * n * n; i++) {
      assertTrue(Double.isFinite(bytes.getDouble()), "double " + i + " of the model");
    }
  }

  /** Plays with a reward that depends on the round, and returns the state. */
  private static LogisticState play(
      LogisticPolicyName name, double s, IntUnaryOperator reward, int rounds, double[]... xs) {
    LogisticRule policy = new LogisticRule(PolicyParameters.defaults(name, .05, List.of(.2)));
    LogisticState state = policy.start(new StreamingModel(new LogisticScale(3, s)));
    LogisticRequest request = request(xs);
    for (int t = 0; t < rounds; t++) {
      LogisticChoice choice = policy.choose(state, request, t % xs.length);
      DecisionAudit audit = policy.audit(state, request, choice);
      double effect = audit.findings().get(0).effect().estimate();
      assertTrue(Math.abs(effect) <= 1, name + ", round " + t + ": " + effect);
      policy.commit(state, request, choice);
      state.model().learn(xs[choice.candidate()], reward.applyAsInt(t));
    }
    assertFinite(state);
    return state;
  }

  @ParameterizedTest
  @EnumSource
  void rewardsThatAreAllOneOrAllNoughtKeepTheStateFinite(LogisticPolicyName name) {
    LogisticState ones = play(name, 5, t -> 1, 3000, E1, E2, new double[] {.6, .8, 0});
    assertTrue(ones.model().estimate().mean(new double[] {.6, .8, 0}) > .5);
    LogisticState noughts = play(name, 5, t -> 0, 3000, E1, E2, new double[] {.6, .8, 0});
    assertTrue(noughts.model().estimate().mean(new double[] {.6, .8, 0}) < .5);
  }

  @ParameterizedTest
  @EnumSource
  void duplicatedFeaturesAndAZeroVectorAreOrdinary(LogisticPolicyName name) {
    play(name, 5, t -> t % 2, 500, E1, E1, E1.clone(), ZERO, ZERO);
    play(name, 5, t -> 1, 200, ZERO);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 1, 1e3, 1e6, 1e9})
  void extremeLogitsKeepTheStateFinite(double s) {
    for (LogisticPolicyName name : LogisticPolicyName.values()) {
      play(name, s, t -> 1, 300, E1, new double[] {-1, 0, 0});
      play(name, s, t -> t % 3 == 0 ? 1 : 0, 300, E1, new double[] {0, 0, 1e-300});
    }
  }

  @Test
  void separableDataStayFiniteInBothForms() {
    LogisticScale scale = new LogisticScale(3, 5);
    StreamingModel streaming = new StreamingModel(scale);
    ExactModel exact = new ExactModel(scale);
    for (int i = 0; i < 2000; i++) {
      double[] x = i % 2 == 0 ? E1 : new double[] {-1, 0, 0};
      streaming.learn(x, i % 2 == 0 ? 1 : 0);
      exact.learn(x, i % 2 == 0 ? 1 : 0);
    }
    assertEquals(ExactModel.Boundary.BOUNDARY, exact.boundary());
    for (LogisticModel model : List.of(streaming, exact)) {
      double mean = model.estimate().mean(E1);
      assertTrue(mean > .9 && mean < 1, model.getClass().getSimpleName() + ": " + mean);
      double[] value = model.optimistic(new double[][] {E1, ZERO}, ConfidenceRadius.ofAudit(.05));
      assertTrue(value[0] <= 5 + 1e-9);
      assertEquals(0, value[1]);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {.5, 2, -1, Double.NaN, Double.POSITIVE_INFINITY, 1 + 1e-15})
  void aRewardOtherThanNoughtOrOneIsRefusedAndChangesNothing(double y) {
    StreamingModel streaming = new StreamingModel(new LogisticScale(3, 5));
    streaming.learn(E1, 1);
    StreamingModel before = streaming.copy();
    assertFalse(LogisticScale.isReward(y));
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> streaming.learn(E1, y));
    assertTrue(refusal.getMessage().contains("0 and 1 only"), refusal.getMessage());
    assertEquals(before, streaming);
    ExactModel exact = new ExactModel(new LogisticScale(3, 5));
    assertThrows(IllegalArgumentException.class, () -> exact.learn(E1, y));
    assertEquals(0, exact.rewards());
  }

  @Test
  void featuresThatAreTooLongOrNoNumbersAreRefusedAndChangeNothing() {
    LogisticRule policy =
        new LogisticRule(PolicyParameters.defaults(LogisticPolicyName.SCREEN, .05, List.of(.2)));
    LogisticState state = policy.start(new StreamingModel(new LogisticScale(3, 5)));
    LogisticState before = state.copy();
    for (double[] x :
        List.of(
            new double[] {2, 0, 0},
            new double[] {1e200, 1e200, 0},
            new double[] {Double.NaN, 0, 0},
            new double[] {Double.NEGATIVE_INFINITY, 0, 0},
            new double[] {1, 0},
            new double[] {1, 0, 0, 0})) {
      assertThrows(IllegalArgumentException.class, () -> state.model().learn(x, 1));
      assertThrows(IllegalArgumentException.class, () -> policy.choose(state, request(E1, x), 0));
    }
    assertEquals(before, state);
  }
}
