package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segmentspec.SpecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arms with a number of their own: a price, in the catalog and in requests. */
public class NumericArmTest {
  private static final long SEED = 17;
  private static final String ARMS =
      "[{id: cheap, topic: news, price: 2}, {id: dear, topic: news, price: 8.5},"
          + " {topic: sport, price: 5}]";
  private static final String BOTH =
      "linucb, model: shared, alpha: 0, features: [intercept, number: {of: price, center: 4,"
          + " scale: 2}, product: [one-hot: S, number: price]]";

  /** A spec of two topics at prices that its arms, a list, name. */
  public static String spec(String policy, int number, String arms) {
    return """
name: test
version: %d
segments: default
variables:
  S: {role: sensitive, levels: [a, b]}
  X: {role: context, levels: [low, high]}
  topic: {role: action, levels: [news, sport]}
  price: {role: action, range: [0, 10]}
  R: {role: reward}
graph: "dag { {S X topic price} -> R }"
arms: %s
reward: {range: [0, 1]}
policy: {name: %s}
fairness: {tau: 0.2}
join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback: cheap}
metrics: {every: 10}
on-incompatible-change: reject
"""
        .formatted(number, arms, policy);
  }

  private static Decision last(Scenario scenario) {
    return scenario.log.decisions.get(scenario.log.decisions.size() - 1);
  }

  private static Scenario ask(
      Scenario scenario, int round, @Nullable List<CandidateArm> candidates) {
    return scenario.context(
        new ContextEvent(
            "d" + round,
            Scenario.SEGMENT,
            Scenario.millis(round),
            Map.of("S", round % 2 == 0 ? "a" : "b", "X", "low"),
            candidates,
            null,
            scenario.origin("contexts", round),
            new byte[0]));
  }

  private static Scenario shown(Scenario scenario, int round, double reward, String arm) {
    return scenario.reward(
        new RewardEvent(
            "d" + round,
            null,
            Scenario.SEGMENT,
            Scenario.millis(round + 0.5),
            reward,
            Map.of(),
            arm,
            scenario.origin("rewards", round),
            new byte[0]));
  }

  private static CandidateArm priced(String id, Object price) {
    return new CandidateArm(id, Map.of("topic", "sport", "price", price));
  }

  /** The features of {@link #BOTH} by hand: the constant, the price in its scale, price by S. */
  private static double[] features(int round, double price) {
    double[] x = {1, (price - 4) / 2, 0, 0, 0};
    x[2 + round % 2] = price / 10;
    return x;
  }

  /** A plain solution of (I + sum x x') theta = sum r x. */
  private static double mean(List<double[]> rows, List<Double> rewards, double[] x) {
    int d = x.length;
    double[][] a = new double[d][d + 1];
    for (int i = 0; i < d; i++) {
      a[i][i] = 1;
    }
    for (int row = 0; row < rows.size(); row++) {
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          a[i][j] += rows.get(row)[i] * rows.get(row)[j];
        }
        a[i][d] += rewards.get(row) * rows.get(row)[i];
      }
    }
    for (int pivot = 0; pivot < d; pivot++) {
      for (int i = 0; i < d; i++) {
        double factor = i == pivot ? 0 : a[i][pivot] / a[pivot][pivot];
        for (int j = pivot; j <= d; j++) {
          a[i][j] -= factor * a[pivot][j];
        }
      }
    }
    double mean = 0;
    for (int i = 0; i < d; i++) {
      mean += x[i] * a[i][d] / a[i][i];
    }
    return mean;
  }

  @Test
  void theModelLearnsOfThePricesOfCatalogArmsOwnArmsAndArmsReallyShown() {
    SplittableRandom random = new SplittableRandom(SEED);
    Map<String, Double> prices = Map.of("cheap", 2.0, "dear", 8.5, "topic=sport,price=5", 5.0);
    Scenario scenario = Scenario.under(spec(BOTH, 1, ARMS));
    List<double[]> rows = new ArrayList<>();
    List<Double> rewards = new ArrayList<>();
    for (int round = 0; round < 120; round++) {
      List<CandidateArm> own = new ArrayList<>();
      for (int arm = random.nextInt(3); arm > 0; arm--) {
        own.add(priced("offer-" + round + "-" + arm, random.nextInt(101) / 10.0));
      }
      ask(scenario, round, own.isEmpty() ? null : own);
      Decision decision = last(scenario);
      double price =
          own.stream()
              .filter(arm -> arm.id().equals(decision.arm()))
              .map(arm -> (Double) arm.attributes().get("price"))
              .findFirst()
              .orElseGet(() -> prices.get(decision.arm()));
      assertNotNull(decision.mean());
      double wanted = mean(rows, rewards, features(round, price));
      assertEquals(wanted, decision.mean(), 1e-9, "seed " + SEED + ", round " + round);
      String instead = random.nextInt(4) == 0 ? "dear" : decision.arm();
      double paid = instead.equals(decision.arm()) ? price : 8.5;
      double reward = Math.min(1, random.nextDouble() * paid / 8);
      shown(scenario, round, reward, instead);
      rows.add(features(round, paid));
      rewards.add(reward);
    }
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.assertBalanced(120, 120);
  }

  @Test
  void aDecisionSaysTheNumbersOfTheCandidatesAfterTheirLevels() {
    Scenario scenario = Scenario.under(spec("linucb, model: shared", 1, ARMS));
    ask(scenario, 0, List.of(priced("one", 3L), priced("two", 7.25)));
    assertEquals(
        List.of(List.of(1.0, 0.0, 3.0), List.of(1.0, 0.0, 7.25)),
        last(scenario).candidateFeatures());
  }

  @ParameterizedTest
  @CsvSource({"11, OUT_OF_RANGE", "-0.5, OUT_OF_RANGE", "dear, NOT_FINITE", ", MISSING_VARIABLE"})
  void aPriceThatIsNoneIsRejected(String given, String code) {
    Scenario scenario = Scenario.under(spec("linucb", 1, ARMS));
    Object price =
        given == null ? null : given.equals("dear") ? given : (Object) Double.parseDouble(given);
    CandidateArm arm =
        price == null ? new CandidateArm("x", Map.of("topic", "news")) : priced("x", price);
    ask(scenario, 0, List.of(arm));
    assertEquals(DecisionReason.REJECTED, last(scenario).reason());
    assertEquals(code, last(scenario).errorCode());
    assertEquals(List.of(code), scenario.deadLetterCodes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"linucb", "linucb, model: shared", "glm-ucb", "screen"})
  void anArmThatWasRetiredIsLearnedWithItsPriceAndCannotComeBackWithAnother(String policy) {
    Scenario scenario = Scenario.under(spec(policy, 1, ARMS));
    ask(scenario, 0, null);
    shown(scenario, 0, 0, "dear");
    ask(scenario, 1, null);
    Decision open = last(scenario);
    String left = "[{id: cheap, topic: news, price: 2}]";
    scenario.book.publish(spec(policy, 2, left));
    shown(scenario, 1, 1, "dear");
    assertEquals(List.of(), scenario.deadLetterCodes());
    assertEquals(SegmentEventType.REWARD_APPLIED, scenario.log.segmentEvents.get(3).type());
    assertEquals(open.seq(), scenario.log.segmentEvents.get(3).decisionSeq());
    ask(scenario, 2, null);
    scenario.book.publish(spec(policy, 3, ARMS.replace("8.5", "8.25")));
    ask(scenario, 3, null);
    long adopted =
        scenario.log.segmentEvents.stream()
            .filter(o -> o.type() == SegmentEventType.SPEC_ADOPTED)
            .count();
    assertEquals(2, adopted, "the same id at another price is another arm");
    scenario.book.publish(spec(policy, 4, ARMS));
    ask(scenario, 4, null);
    assertEquals(4, last(scenario).specVersion());
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all | arms, line 11: all arms of the number price given; a list of arms, each with its"
            + " number",
        "[{topic: news}] | arms[0].price, line 11: nothing given; a number from 0 to 10",
        "[{topic: news, price: 12}] | arms[0].price, line 11: \"12\" given; a number from 0 to 10",
        "[{topic: news, price: low}] | arms[0].price, line 11: \"low\" given; a finite number",
        "[{topic: news, price: 2}, {topic: news, price: 2.0}] | a second arm"
            + " \"topic=news,price=2\"",
      })
  void everyFaultNamesItsPlaceTheValueAndTheRemedy(String arms, String fault) {
    String faults =
        assertThrows(SpecException.class, () -> TestSpecs.compiled(spec("linucb", 1, arms)))
            .faults()
            .toString();
    assertTrue(faults.contains(fault), faults);
  }
}
