package io.equipoise.lab.cclb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.lab.cclb.CclbInstance.TwoContexts;
import io.equipoise.lab.cclb.Totals.Measure;
import io.equipoise.policy.constraint.DualSchedule;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.OverlapDeficit;
import io.equipoise.policy.logistic.ConfidenceRadius;
import io.equipoise.policy.logistic.LogisticChoice;
import io.equipoise.policy.logistic.LogisticModel;
import io.equipoise.policy.logistic.LogisticModel.JointOptimum;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.policy.logistic.LogisticRule;
import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.policy.logistic.LogisticState;
import io.equipoise.policy.logistic.OddsInterval;
import io.equipoise.policy.logistic.ParameterEstimate;
import io.equipoise.policy.logistic.PolicyParameters;
import io.equipoise.policy.logistic.RadiusKind;
import io.equipoise.policy.logistic.StreamingModel;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays the reference's traces round by round: all draws are given, scans start at 0. */
class GoldenTraceTest {
  private static final double EXACT_TOLERANCE = 1e-5;
  private static final double STREAMING_TOLERANCE = 1e-8;

  private static JsonNode trace(String name) throws IOException {
    try (InputStream in = GoldenTraceTest.class.getResourceAsStream("/cclb/cclb-golden.json")) {
      JsonNode traces = new ObjectMapper().readTree(Objects.requireNonNull(in)).get("traces");
      for (JsonNode trace : traces) {
        if (trace.get("name").textValue().equals(name)) {
          return trace;
        }
      }
    }
    throw new IllegalArgumentException(name);
  }

  /** Everything of one trace that stays. */
  private static final class Replay {
    final JsonNode config;
    final double tolerance;
    final ConfidenceRadius radius;
    final LogisticModel model;
    final LogisticRule policy;
    final LogisticState state;
    final Totals.Sum measures = new Totals.Sum();

    Replay(JsonNode config) {
      this.config = config;
      LogisticScale scale = new LogisticScale(4, config.get("S").doubleValue());
      boolean isExact = config.get("estimator").textValue().equals("EXACT");
      tolerance = isExact ? EXACT_TOLERANCE : STREAMING_TOLERANCE;
      model = isExact ? new ExactModel(scale) : new StreamingModel(scale);
      radius =
          new ConfidenceRadius(
              RadiusKind.valueOf(config.get("radius").textValue()),
              config.get("alpha").doubleValue(),
              config.get("radiusScale").doubleValue());
      double tau = config.get("tau").doubleValue();
      LogisticPolicyName name =
          LogisticPolicyName.valueOf(config.get("policy").textValue().toUpperCase(Locale.ROOT));
      PolicyParameters shipped = PolicyParameters.defaults(name, radius.alpha(), List.of(tau));
      policy =
          new LogisticRule(
              new PolicyParameters(
                  name,
                  shipped.effects(),
                  List.of(new EffectLimit(tau, config.get("eps").doubleValue())),
                  radius,
                  shipped.width(),
                  shipped.rho(),
                  DualSchedule.fixed(config.get("T").longValue()),
                  shipped.effectAt(),
                  shipped.screenWidth(),
                  shipped.exploration()));
      state = policy.start(model);
    }

    KnownRound round(JsonNode row) {
      if (config.get("instance").textValue().equals("noncovered")) {
        TwoContexts instance = Scm.twoContexts("nonCovered-Q", 0.2);
        return instance.rounds().get(row.get("w").doubleValue() == 0 ? 0 : 1);
      }
      int w = (int) (4 * row.get("w").doubleValue());
      int m = (int) (4 * row.get("m").doubleValue());
      return Scm.base(0.2, 0.3, 5).at(row.get("a").intValue(), w, m);
    }

    void is(JsonNode row, String key, double value) {
      String where = "round " + row.get("t") + ", " + key;
      assertEquals(row.get(key).doubleValue(), value, tolerance, where);
    }

    void isIfGiven(JsonNode row, String key, double value) {
      if (row.has(key)) {
        is(row, key, value);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exact-cclb",
        "exact-eps-cclb",
        "exact-cclb-interior",
        "stream-dual-upper",
        "stream-forced-exploration-noncovered-Q"
      })
  void everyRoundOfATraceAgrees(String name) throws IOException {
    JsonNode trace = trace(name);
    Replay replay = new Replay(trace.get("config"));
    for (JsonNode row : trace.get("burnIn")) {
      EncodedCandidate played =
          replay.round(row).request().candidates().get(row.get("k").intValue());
      replay.model.learn(played.x(), row.get("y").doubleValue());
    }
    assertEquals(60, trace.get("rounds").size());
    for (JsonNode row : trace.get("rounds")) {
      play(replay, replay.round(row), row);
    }
  }

  private static void play(Replay replay, KnownRound round, JsonNode row) {
    LogisticRequest request = round.request();
    ParameterEstimate parameterEstimate = replay.model.estimate();
    for (int i = 0; i < 4; i++) {
      double wanted = row.get("theta").get(i).doubleValue();
      assertEquals(
          wanted, parameterEstimate.parameter()[i], replay.tolerance, "theta, " + row.get("t"));
    }
    replay.is(row, "beta2", parameterEstimate.squaredRadius(replay.radius));
    if (replay.model instanceof ExactModel exact) {
      replay.is(row, "lossHat", exact.loss());
      double[][] features =
          request.candidates().stream().map(EncodedCandidate::x).toArray(double[][]::new);
      JointOptimum optimum = exact.jointOptimum(features, 0, replay.radius);
      replay.is(row, "optimistic", optimum.value());
      for (int i = 0; i < 4; i++) {
        double wanted = row.get("thetaTilde").get(i).doubleValue();
        assertEquals(wanted, optimum.theta()[i], 1e-4, "thetaTilde, " + row.get("t"));
      }
    }
    LogisticChoice choice = replay.policy.choose(replay.state, request, 0);
    int chosen = choice.candidate();
    assertEquals(row.get("chosen").intValue(), chosen, "round " + row.get("t"));
    replay.is(row, "phiBefore", choice.phiBefore()[0]);
    replay.is(row, "phiAfter", choice.phiAfter()[0]);
    if (!choice.explored()) {
      replay.is(row, "score", choice.score());
    }
    EncodedCandidate encodedCandidate = request.candidates().get(chosen);
    double[] x = encodedCandidate.x();
    double[] xc = encodedCandidate.counterfactuals()[0][0];
    OddsInterval interval =
        parameterEstimate.exactInterval(x, xc, parameterEstimate.radius(replay.radius));
    replay.is(row, "deltaHat", interval.estimate());
    replay.is(row, "deltaLow", interval.lower());
    replay.is(row, "deltaHigh", interval.upper());
    replay.is(row, "unsupportedShare", parameterEstimate.local(x, xc).overlap().unsupportedShare());
    replay.isIfGiven(row, "base", choice.base());
    replay.isIfGiven(row, "need", choice.need());
    OverlapDeficit need = choice.nextNeed();
    if (need != null) {
      replay.is(row, "playGain", need.playGain());
      assertEquals(row.get("explored").booleanValue(), choice.explored());
      assertEquals(row.get("nothingAllowed").booleanValue(), choice.allowed() == 0);
    }
    replay.is(row, "trueReward", round.reward()[chosen]);
    assertEquals(Math.abs(row.get("trueDelta").doubleValue()), round.effect()[chosen], 1e-8);
    replay.measures.decided(round, chosen, choice.explored());
    Totals totals = replay.measures.totals(choice.phiAfter()[0]);
    replay.is(row, "regret", totals.get(Measure.REGRET));
    replay.is(row, "V", totals.get(Measure.VIOLATION));
    replay.is(row, "violations", totals.get(Measure.VIOLATIONS));
    replay.is(row, "penalized", totals.get(Measure.PENALIZED));
    replay.policy.commit(replay.state, request, choice);
    boolean isSuccess = row.get("uReward").doubleValue() < round.reward()[chosen];
    assertEquals(row.get("y").intValue() == 1, isSuccess);
    replay.model.learn(x, isSuccess ? 1 : 0);
    assertTrue(Double.isFinite(totals.get(Measure.REGRET)));
  }
}
