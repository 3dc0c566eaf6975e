package io.equipoise.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.policy.Choice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.simulation.EmailCampaign;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Round;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Replays 5,000 rounds with fixed users, uniforms and noise. The expectations come from an
 * implementation in another language; equal sums over 5,000 rounds mean equal decisions.
 */
class EmailCampaignReplayTest {
  private static final double[] TAUS = {.1, .2, .3, .4, .5};

  private static JsonNode expected;
  private static List<Round> rounds;
  private static Environment environment;

  @BeforeAll
  static void load() throws IOException {
    environment = EmailCampaign.environment();
    try (InputStream in = resource("/lab/email-campaign.expected.json")) {
      expected = new ObjectMapper().readTree(in);
    }
    try (InputStream in = resource("/lab/email-campaign.draws.csv")) {
      var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines();
      rounds = lines.skip(1).map(EmailCampaignReplayTest::round).toList();
    }
  }

  private static InputStream resource(String path) {
    return java.util.Objects.requireNonNull(
        EmailCampaignReplayTest.class.getResourceAsStream(path));
  }

  /**
   * t,X1,X2,X3,uI4,uI1,uI2,uI3,noise; the environment's order is I4, I1, I2, I3 or a causal one.
   */
  private static Round round(String line) {
    String[] field = line.split(",", -1);
    int[] context = new int[3];
    for (int i = 0; i < 3; i++) {
      context[i] = Integer.parseInt(field[1 + i]);
    }
    Map<String, Integer> column = Map.of("I4", 4, "I1", 5, "I2", 6, "I3", 7);
    double[] uniforms =
        environment.mediators().stream()
            .mapToDouble(node -> Double.parseDouble(field[column.get(node.name())]))
            .toArray();
    return new Round(context, uniforms, Double.parseDouble(field[8]));
  }

  @ParameterizedTest
  @CsvSource({
    "ucb, UCB, 0.3",
    "cucb, C_UCB, 0.3",
    "ducb, D_UCB, 0.3",
    "fucb@0.1, F_UCB, 0.1",
    "fucb@0.2, F_UCB, 0.2",
    "fucb@0.3, F_UCB, 0.3",
    "fucb@0.4, F_UCB, 0.4",
    "fucb@0.5, F_UCB, 0.5"
  })
  void everyDecisionOfTheFixtureIsReproduced(String run, TabularPolicyName policy, double tau) {
    JsonNode wanted = expected.get("runs").get(run);
    TabularPolicy bandit = TabularPolicy.compile(LabSpec.email().of(policy, tau));
    ModelState modelState = new MemoryModelState();
    double regret = 0;
    double rewardSum = 0;
    int[] unfair = new int[TAUS.length];
    List<Integer> first = new ArrayList<>();
    for (int t = 1; t <= rounds.size(); t++) {
      Round round = rounds.get(t - 1);
      Choice choice =
          bandit.choose(modelState, round.context(), t, new SeededRandom(1, "lab", "d" + t));
      Environment.SimulatedOutcome answer = environment.answer(round, choice.arm());
      bandit.learn(modelState, round.context(), choice.arm(), answer.mediators(), answer.reward());
      double[] means = environment.means(round.context());
      regret += java.util.Arrays.stream(means).max().orElseThrow() - means[choice.arm()];
      rewardSum += answer.reward();
      for (int i = 0; i < TAUS.length; i++) {
        double effect = environment.effect(round.context(), choice.arm());
        unfair[i] += Math.abs(effect) > TAUS[i] ? 1 : 0;
      }
      if (t <= 50) {
        first.add(choice.arm());
      }
      JsonNode checkpoint = wanted.get("regret").get(Integer.toString(t));
      if (checkpoint != null) {
        assertEquals(checkpoint.asDouble(), regret, 1e-6, "regret at " + t);
      }
    }
    for (int i = 0; i < TAUS.length; i++) {
      assertEquals(wanted.get("unfair").get(Double.toString(TAUS[i])).asInt(), unfair[i]);
    }
    List<Integer> wantedFirst = new ArrayList<>();
    wanted.get("first50").forEach(arm -> wantedFirst.add(arm.asInt()));
    assertEquals(wantedFirst, first);
    assertEquals(wanted.get("rewardSum").asDouble(), rewardSum, 1e-6);
    assertEquals(5000, rounds.size());
  }

  @Test
  void theTruthIsExact() {
    for (int x1 = 0; x1 < 2; x1++) {
      for (int x = 0; x < 9; x++) {
        double[] means = environment.means(new int[] {x1, x / 3, x % 3});
        Iterator<JsonNode> wanted = expected.get("mu").get(x1).get(x).iterator();
        for (int arm = 0; arm < 36; arm++) {
          assertEquals(wanted.next().asDouble(), means[arm], 1e-6);
          double effect = environment.effect(new int[] {x1, x / 3, x % 3}, arm);
          assertEquals(expected.get("delta").get(x).get(arm).asDouble(), effect, 1e-6);
        }
      }
    }
  }
}
