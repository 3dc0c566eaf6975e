package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Decision;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What explore is for: the log of one policy says what another would have earned. */
@Tag("slow")
class ExploredLogTest {
  private static final int ROUNDS = 2000;
  private static final double SHARE = 0.4;

  private final SplittableRandom random = new SplittableRandom(3);

  private static double paid(String arm, Object s) {
    return "A=right".equals(arm) ? 0.6 : "a".equals(s) ? 0.9 : 0.3;
  }

  @ParameterizedTest
  @CsvSource({
    "'lin-ts, sample: {draws: 1}', ESTIMATED, 1",
    "'lin-ts, sample: {draws: 7}, explore: {share: 0.4, over: all}', ESTIMATED, 7",
    "lin-ts, ESTIMATED, 100",
    "linucb, DETERMINISTIC,"
  })
  void estimatedPropensitiesSayByHowManyDraws(String policy, String kind, Integer draws) {
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
    Scenario scenario =
        Scenario.under(TestSpecs.text(policy, 1, join, "{range: [0, 1]}", "reject"));
    for (int i = 0; i < 20; i++) {
      scenario.context("d" + i, i, Map.of("S", "a", "X", "low"));
      Decision decision = scenario.log.decisions.get(i);
      assertEquals(kind, decision.propensities().kind().name());
      assertEquals(draws, decision.propensities().draws());
    }
    scenario.log.replay(new ReplayOracle(scenario.book, scenario.causalBounds));
  }

  /** Inverse propensity weighting of 0 and 1: its variance is below 1 / (least propensity). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "f-ucb",
        "d-ucb",
        "ucb, constraint: dual",
        "oam, horizon: 2000, variance: 0.25",
        "linucb, alpha: 0.1",
        "linucb, model: shared, alpha: 0.1",
        "linucb-unaware, alpha: 0.1",
        "linucb, constraint: hard"
      })
  void anotherPolicyIsEvaluatedOnTheLog(String policy) {
    String explore = ", explore: {share: %s, over: all}".formatted(SHARE);
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
    Scenario scenario =
        Scenario.under(TestSpecs.text(policy + explore, 1, join, "{range: [0, 1]}", "reject"));
    double earnedLeft = 0;
    double earnedRight = 0;
    int explored = 0;
    for (int i = 0; i < ROUNDS; i++) {
      String s = random.nextBoolean() ? "a" : "b";
      scenario.context("d" + i, i, Map.of("S", s, "X", random.nextBoolean() ? "low" : "high"));
      Decision decision = scenario.log.decisions.get(i);
      double reward = random.nextDouble() < paid(decision.arm(), s) ? 1 : 0;
      scenario.reward("d" + i, "r", i + 0.5, reward, Map.of("M", random.nextBoolean() ? "1" : "0"));
      assertEquals("EXACT", decision.propensities().kind().name());
      assertTrue(Double.isFinite(decision.index()), i + ": index " + decision.index());
      assertTrue(Double.isFinite(decision.width()), i + ": width " + decision.width());
      List<Double> propensities = decision.propensitiesOf(List.of("A=left", "A=right"));
      double left = propensities.get(0);
      double right = propensities.get(1);
      assertEquals(1, left + right, 1e-12);
      assertTrue(Math.min(left, right) > SHARE / 2 - 1e-12, left + " " + right);
      boolean isLeft = "A=left".equals(decision.arm());
      earnedLeft += isLeft ? reward / left / ROUNDS : 0;
      earnedRight += isLeft ? 0 : reward / right / ROUNDS;
      explored += scenario.log.audits.get(i).explored() ? 1 : 0;
    }
    double four = 4 * Math.sqrt(2 / SHARE / ROUNDS);
    assertEquals(0.6, earnedLeft, four, "always left: 0.9 for one half, 0.3 for the other");
    assertEquals(0.6, earnedRight, four, "always right");
    assertEquals(SHARE / 2, explored / (double) ROUNDS, 4 * Math.sqrt(0.16 / ROUNDS));
    scenario.log.replay(new ReplayOracle(scenario.book, scenario.causalBounds));
  }
}
