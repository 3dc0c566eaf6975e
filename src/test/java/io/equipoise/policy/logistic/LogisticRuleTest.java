package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DecisionReason;
import io.equipoise.lab.cclb.CclbFeatureMap;
import io.equipoise.lab.cclb.CounterfactualFeatures;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.constraint.EffectSize;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogisticRuleTest {
  private static final LogisticScale SCALE = new LogisticScale(4, 5);
  private static final double[] TRUTH = {-3.7, 1.5, 1.5, 2.5};

  private static final class Map4 implements CclbFeatureMap {
    @Override
    public int dimension() {
      return 4;
    }

    @Override
    public void write(int[] sensitive, double[] context, double[] decision, double[] out) {
      out[0] = sensitive[0];
      out[1] = context[0];
      out[2] = sensitive.length > 1 ? sensitive[1] : context[1];
      out[3] = decision[0];
    }
  }

  private static final CounterfactualFeatures BINARY =
      new CounterfactualFeatures(new Map4().normalized(), new int[] {2}, new int[][] {{0}});
  private static final CounterfactualFeatures INTERSECTION =
      new CounterfactualFeatures(
          new Map4().normalized(), new int[] {3, 2}, new int[][] {{0}, {1}, {0, 1}});

  static LogisticRequest request(SplittableRandom random) {
    return BINARY.request(
        new int[] {random.nextInt(2)},
        new double[] {random.nextInt(5) / 4.0, random.nextInt(5) / 4.0},
        decisions(random));
  }

  private static List<double[]> decisions(SplittableRandom random) {
    List<double[]> decisions = new ArrayList<>();
    int candidates = 1 + random.nextInt(8);
    for (int i = 0; i < candidates; i++) {
      decisions.add(new double[] {random.nextDouble(-6, 6)});
    }
    return decisions;
  }

  private static LogisticRule policy(LogisticPolicyName name, Double... taus) {
    return new LogisticRule(PolicyParameters.defaults(name, .05, List.of(taus)));
  }

  private static LogisticChoice play(
      LogisticRule policy, LogisticState state, LogisticRequest request, double u) {
    LogisticChoice choice = policy.choose(state, request, 0);
    policy.commit(state, request, choice);
    double[] x = request.candidates().get(choice.candidate()).x();
    state.model().learn(x, u < Logistic.mean(Vectors.dot(x, TRUTH)) ? 1 : 0);
    return choice;
  }

  @ParameterizedTest
  @EnumSource
  void aStateRestoredFromItsBytesDecidesBitForBitTheSame(LogisticPolicyName name) {
    LogisticRule policy = policy(name, .2);
    LogisticState state = policy.start(new StreamingModel(SCALE));
    SplittableRandom random = new SplittableRandom(21);
    for (int t = 0; t < 100; t++) {
      play(policy, state, request(random), random.nextDouble());
    }
    int bytes = state.byteLength();
    for (int t = 0; t < 1400; t++) {
      play(policy, state, request(random), random.nextDouble());
    }
    assertEquals(bytes, state.byteLength());
    ByteBuffer model = StoredBytes.of((StreamingModel) state.model()).flip();
    ByteBuffer memory = StoredBytes.of(state.memory()).flip();
    assertEquals(bytes, model.remaining() + memory.remaining());
    LogisticState restored =
        new LogisticState(
            StoredBytes.read(new StreamingModel(), model),
            StoredBytes.read(new LogisticMemory(), memory));
    LogisticState copy = state.copy();
    assertEquals(state, restored);
    for (int t = 0; t < 200; t++) {
      LogisticRequest request = request(random);
      double u = random.nextDouble();
      LogisticChoice choice = play(policy, state, request, u);
      LogisticChoice again = play(policy, restored, request, u);
      assertEquals(choice.candidate(), again.candidate());
      assertEquals(choice.score(), again.score());
      assertEquals(choice.candidate(), play(policy, copy, request, u).candidate());
    }
    assertEquals(state, restored);
    assertEquals(state, copy);
  }

  @ParameterizedTest
  @EnumSource
  void choosingChangesNothing(LogisticPolicyName name) {
    LogisticRule policy = policy(name, .2);
    LogisticState state = policy.start(new StreamingModel(SCALE));
    SplittableRandom random = new SplittableRandom(22);
    for (int t = 0; t < 50; t++) {
      play(policy, state, request(random), random.nextDouble());
    }
    LogisticState before = state.copy();
    LogisticRequest request = request(random);
    LogisticChoice first = policy.choose(state, request, 0);
    policy.audit(state, request, first);
    assertEquals(before, state);
    assertEquals(first.score(), policy.choose(state, request, 0).score());
  }

  @Test
  void cxCountsWhatIsPlayedInTheBasesPlaceWhoeverPutItThere() {
    LogisticRule policy = policy(LogisticPolicyName.FORCED_EXPLORATION, .2);
    LogisticState state = policy.start(new StreamingModel(SCALE));
    SplittableRandom random = new SplittableRandom(24);
    int forced = 0;
    for (int t = 0; t < 400; t++) {
      LogisticRequest request =
          BINARY.request(new int[] {0}, new double[] {random.nextDouble(), 0}, decisions(random));
      LogisticRound round = policy.round(state, request);
      LogisticChoice ruled = round.choose(0);
      long before = Objects.requireNonNull(state.memory().need()).explored();
      for (int played = 0; played < request.size(); played++) {
        long after = Objects.requireNonNull(round.take(0, played).nextNeed()).explored();
        assertEquals(played == ruled.base() ? before : before + 1, after, "round " + t);
      }
      forced += ruled.explored() ? 1 : 0;
      play(policy, state, request, random.nextDouble());
      assertEquals(forced, Objects.requireNonNull(state.memory().need()).explored());
    }
    assertTrue(forced > 0, "nothing was forced");
  }

  @ParameterizedTest
  @EnumSource
  void severalAttributesWithIntersectionsHaveAPhiEach(LogisticPolicyName name) {
    LogisticRule policy = policy(name, .2, .1, .25);
    LogisticState state = policy.start(new StreamingModel(SCALE));
    assertEquals(name.isConstrained() ? 3 : 0, state.duals().constraints());
    SplittableRandom random = new SplittableRandom(23);
    for (int t = 0; t < 300; t++) {
      int[] person = {random.nextInt(3), random.nextInt(2)};
      LogisticRequest request =
          INTERSECTION.request(person, new double[] {random.nextDouble()}, decisions(random));
      LogisticChoice choice = play(policy, state, request, random.nextDouble());
      DecisionAudit audit = policy.audit(state, request, choice);
      assertEquals(2 + 1 + 5, audit.findings().size());
      assertEquals(List.of(0, 0, 1, 2, 2, 2, 2, 2), audit.constraints());
    }
  }

  @Test
  void theEffectOfAThreeValuedAttributeIsTheLargerOfTwoBinaryOnes() {
    CounterfactualFeatures three =
        new CounterfactualFeatures(new Map4().normalized(), new int[] {3}, new int[][] {{0}});
    LogisticRule policy = policy(LogisticPolicyName.DUAL_UPPER, .2);
    LogisticState state = policy.start(new StreamingModel(SCALE));
    SplittableRandom random = new SplittableRandom(24);
    for (int t = 0; t < 200; t++) {
      play(policy, state, request(random), random.nextDouble());
    }
    double[] context = {.5, .25};
    List<double[]> decisions = List.of(new double[] {2});
    LogisticRequest both = three.request(new int[] {0}, context, decisions);
    EffectSize[] single = new EffectSize[2];
    for (int other = 0; other < 2; other++) {
      LogisticRequest.EncodedCandidate encodedCandidate = both.candidates().get(0);
      double[][][] one = {{encodedCandidate.counterfactuals()[0][other]}};
      LogisticRequest binary =
          new LogisticRequest(
              List.of(CounterfactualFeatures.candidate(encodedCandidate.x(), one)),
              List.of(List.of(both.alternatives().get(0).get(other))),
              List.of());
      single[other] = policy.round(state, binary).prospects(0).effect(0, 0);
    }
    EffectSize larger = policy.round(state, both).prospects(0).effect(0, 0);
    assertEquals(single[0].orLarger(single[1]), larger);
    assertNotEquals(single[0], single[1]);
  }

  @Test
  void rewardsMayComeLateInAnyNumberAndTheStateFollowsTheirArrival() {
    LogisticRule policy = policy(LogisticPolicyName.SCREEN, .2);
    LogisticState late = policy.start(new StreamingModel(SCALE));
    SplittableRandom random = new SplittableRandom(25);
    List<double[]> played = new ArrayList<>();
    for (int t = 0; t < 50; t++) {
      LogisticRequest request = request(random);
      LogisticChoice choice = policy.choose(late, request, 0);
      policy.commit(late, request, choice);
      played.add(request.candidates().get(choice.candidate()).x());
    }
    assertEquals(50, late.duals().decisions());
    assertEquals(0, late.model().rewards());
    LogisticState replay = policy.start(new StreamingModel(SCALE));
    for (int i = played.size() - 1; i >= 0; i--) {
      late.model().learn(played.get(i), i % 2);
      replay.model().learn(played.get(i), i % 2);
    }
    assertEquals(replay.model(), late.model());
    assertEquals(50, late.model().rewards());
  }

  @Test
  void aSingleCandidateIsTakenWithoutExploration() {
    for (LogisticPolicyName name : LogisticPolicyName.values()) {
      LogisticRule policy = policy(name, .2);
      LogisticState state = policy.start(new StreamingModel(SCALE));
      LogisticRequest only =
          BINARY.request(new int[] {1}, new double[] {1, 1}, List.of(new double[] {3}));
      LogisticChoice choice = policy.choose(state, only, 0);
      assertEquals(0, choice.candidate());
      assertTrue(
          choice.reason() == DecisionReason.EXPLOIT
              || choice.reason() == DecisionReason.UNCERTIFIED,
          name.wire());
    }
  }

  @Test
  void parametersThatCannotBeAreRefused() {
    List<Double> above = List.of(1.5);
    assertThrows(
        IllegalArgumentException.class,
        () -> PolicyParameters.defaults(LogisticPolicyName.CCLB, .05, above));
    assertThrows(
        IllegalArgumentException.class, () -> new ConfidenceRadius(RadiusKind.LAPLACE, 0, 1));
    LogisticRule two = policy(LogisticPolicyName.DUAL_UPPER, .2, .2);
    LogisticState state = two.start(new StreamingModel(SCALE));
    LogisticRequest ofOne = request(new SplittableRandom(1));
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> two.choose(state, ofOne, 0));
    assertTrue(Arrays.toString(refusal.getMessage().split(" ")).contains("constraints"));
  }

  @Test
  void theDefaultTightnessGrowsWithTau() {
    assertEquals(.08, defaults(LogisticPolicyName.DUAL_UPPER, .2), 1e-12);
    assertEquals(.04, defaults(LogisticPolicyName.DUAL_UPPER, .1), 1e-12);
    assertEquals(.14, defaults(LogisticPolicyName.EPS_CCLB, .2), 1e-12);
    assertEquals(0, defaults(LogisticPolicyName.SCREEN, .2));
  }

  private static double defaults(LogisticPolicyName name, double tau) {
    return PolicyParameters.defaults(name, .05, List.of(tau)).limits().get(0).eps();
  }
}
