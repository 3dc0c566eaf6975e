package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.Decision;
import io.equipoise.event.GroupMean;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segment.state.RetiredDefinitions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Levels that are added or go, with decisions in flight. */
@Tag("slow")
class AddedLevelTest {
  private static final Map<String, Object> HIGH = Map.of("S", "a", "X", "high");
  private static final Map<String, Object> MID = Map.of("S", "a", "X", "mid");
  private static final String SUM =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: sum, shown:"
          + " assumed}";

  private static final String SAFE =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback: \"A=left\"}";

  private static final String EVIDENCE =
      "{arm: A=left, context: {S: a, X: low}, n: 3, mean: 0.25},"
          + " {arm: A=right, context: {S: a, X: low}, n: 1, mean: 0.5}";

  private static SpecVariant second(String policy) {
    return SpecVariant.of(policy).version(2);
  }

  private static Decision last(Scenario scenario) {
    return scenario.log.decisions.get(scenario.log.decisions.size() - 1);
  }

  private static SegmentEvent lastSegmentEvent(Scenario scenario) {
    return scenario.log.segmentEvents.get(scenario.log.segmentEvents.size() - 1);
  }

  private static SegmentEvent adoption(Scenario scenario) {
    return scenario.log.segmentEvents.stream()
        .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.SPEC_ADOPTED)
        .reduce((first, next) -> next)
        .orElseThrow();
  }

  @Test
  void aPendingDecisionIsLearnedWhereItsLevelNowStands() {
    Scenario scenario = Scenario.under(SpecVariant.of("ucb").text());
    scenario.context("d1", 0, HIGH).context("d2", 1).reward("d2", 2, 0.25);
    scenario.book.publish(second("ucb").levels("X", "low", "mid", "high").text());
    scenario.reward("d1", 3, 0.75);
    SegmentEvent adopted = adoption(scenario);
    assertEquals(List.of(), adopted.stateReset());
    assertEquals(List.of("X"), adopted.adoption().extendedVariables());
    assertEquals(scenario.log.decisions.get(0).specHash(), adopted.adoption().previousSpecHash());
    assertEquals(List.of(0.0, 2.0), lastSegmentEvent(scenario).features(), "by the spec it names");
    assertEquals(2, scenario.head().rounds);
    scenario.context("d3", 4, HIGH).reward("d3", 5, 0).context("d4", 6, HIGH);
    assertEquals(0.75, last(scenario).mean(), "high is where high was");
    scenario.context("d5", 7).reward("d5", 8, 0).context("d6", 9);
    assertEquals(0.25, last(scenario).mean(), "low stayed");
    scenario.context("d7", 10, MID);
    assertEquals(0, last(scenario).mean(), "nothing is known of mid");
    scenario.assertBalanced(7, 4);
    scenario.passTo(1000).assertNothingLeft();
  }

  @Test
  void decisionsOfSeveralSpecsAgoAreLearnedToo() {
    Scenario scenario = Scenario.under(SpecVariant.of("ucb").text()).context("d1", 0, HIGH);
    scenario.book.publish(second("ucb").levels("X", "low", "mid", "high").text());
    scenario.context("d2", 1, MID);
    scenario.book.publish(second("ucb").version(3).levels("X", "top", "high", "low", "mid").text());
    scenario.reward("d1", 2, 0.5);
    assertEquals(List.of(0.0, 1.0), lastSegmentEvent(scenario).features());
    scenario.reward("d2", 3, 0.25);
    assertEquals(List.of(0.0, 3.0), lastSegmentEvent(scenario).features());
    scenario.assertBalanced(2, 2);
    scenario.book.publish(
        second("ucb").version(4).levels("X", "top", "high", "low", "mid", "base").text());
    scenario.context("d3", 4);
    RetiredDefinitions retiredDefinitions =
        (RetiredDefinitions) scenario.state.blocks().get(RetiredDefinitions.KEY);
    assertEquals("retired {}, levels", String.valueOf(retiredDefinitions).substring(0, 18));
    assertNull(
        retiredDefinitions == null ? null : retiredDefinitions.translation(0),
        "nothing awaited that map");
  }

  @Test
  void rewardsCollectedBeforeAndAfterAreOneAggregate() {
    Scenario scenario = Scenario.under(SpecVariant.of("d-ucb").join(SUM).text());
    scenario.context("d1", 0).context("d2", 0).context("d3", 0);
    scenario.reward("d3", "r1", 1, 0.25, Map.of());
    scenario.reward("d1", "r1", 1, 0.25, Map.of("M", "1"));
    scenario.reward("d2", "r1", 1, 0.25, Map.of("M", "0"));
    scenario.book.publish(second("d-ucb").join(SUM).levels("M", "2", "0", "1").text());
    scenario.reward("d1", "r2", 2, 0.5, Map.of("M", "1"));
    scenario.reward("d2", "r2", 2, 0.5, Map.of("M", "2"));
    assertEquals(List.of("CONFLICTING_REWARD"), scenario.deadLetterCodes(), "it was 0 before");
    scenario.reward("d3", "r2", 2, 0.5, Map.of("M", "2"));
    scenario.passTo(100);
    List<SegmentEvent> closed =
        scenario.log.segmentEvents.stream()
            .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.WINDOW_CLOSED)
            .toList();
    Map<Long, String> found = new TreeMap<>();
    for (SegmentEvent segmentEvent : closed) {
      found.put(
          segmentEvent.decisionSeq(),
          segmentEvent.mediators() + " " + segmentEvent.learnedReward());
    }
    assertEquals(List.of("{M=1} 0.75", "{M=0} 0.25", "{M=2} 0.75"), List.copyOf(found.values()));
    scenario.assertBalanced(3, 6);
    scenario.passTo(1000).assertNothingLeft();
  }

  @Test
  void groupsGrowAndThoseWhoDoNotTellStayWhoTheyAre() {
    Scenario scenario = Scenario.under(SpecVariant.of("ucb").text());
    scenario.context("d1", 0).reward("d1", 1, 0.5);
    scenario.context("d2", 2, Map.of("X", "low")).context("d3", 2, Map.of("X", "low"));
    scenario.reward("d2", 3, 0.25);
    scenario.book.publish(second("ucb").levels("S", "c", "b", "a").text());
    scenario.reward("d3", 4, 0.75).passTo(200);
    SegmentMetrics metrics = scenario.log.metrics.get(scenario.log.metrics.size() - 1);
    Map<String, Double> means =
        metrics.groups().means().stream()
            .collect(Collectors.toMap(GroupMean::level, GroupMean::mean));
    assertEquals(Map.of("a", 0.5, "b", 0.0, "c", 0.0, "undisclosed", 0.5), means);
    assertEquals(3, metrics.rounds());
    scenario.assertBalanced(3, 3);
  }

  @Test
  void anActionWithMoreLevelsKeepsWhatIsKnownOfArms() {
    Scenario scenario = Scenario.under(SpecVariant.of("ucb").text());
    scenario.context("d1", 0).reward("d1", 1, 0.5).context("d2", 2);
    scenario.book.publish(second("ucb").levels("A", "up", "right", "left").text());
    scenario.reward("d2", 3, 0.25).context("d3", 4);
    assertEquals("A=up", last(scenario).arm());
    scenario.reward("d3", 5, 0).context("d4", 6);
    assertEquals("A=left", last(scenario).arm());
    assertEquals(0.5, last(scenario).mean());
    scenario.assertBalanced(4, 3);
  }

  @Test
  void aRetiredArmIsLearnedWhereItsLevelNowStands() {
    String[] arms = {"{id: one, A: left}", "{id: two, A: right}"};
    Scenario scenario = Scenario.under(SpecVariant.of("ucb").arms(arms).text()).context("d1", 0);
    scenario.book.publish(second("ucb").arms(arms[1]).text());
    scenario.context("d2", 1).reward("d2", 2, 0);
    scenario.book.publish(
        second("ucb").version(3).arms(arms[1]).levels("A", "up", "right", "left").text());
    scenario.reward("d1", 3, 0.5);
    scenario.book.publish(
        second("ucb").version(4).arms(arms).levels("A", "up", "right", "left").text());
    scenario.context("d3", 4);
    assertEquals("one", last(scenario).arm());
    assertEquals(0.5, last(scenario).mean());
    scenario.assertBalanced(3, 2);
  }

  @ParameterizedTest
  @CsvSource({
    "ucb,X,low",
    "ucb,X,low mid",
    "d-ucb,M,1 2",
    "linucb,S,a b c",
    "linucb,A,left",
    "one feature,S,a b c",
    "glm-ucb,S,a b c",
    "pairs,X,low mid high",
    "warm,M,0 1 2",
    "warm,A,left right up",
    "oam,S,a b c"
  })
  void whatElseChangesLevelsIsRefusedOrStartsAnew(String policy, String variable, String levels) {
    String name =
        Map.of(
                "oam", "oam, horizon: 20",
                "one feature", "linucb, features: [one-hot: X]",
                "pairs", "eps-cclb, features: [intercept, one-hot: X, one-hot: S, one-hot: A]",
                "warm", "linucb-cp, warm-start: [" + EVIDENCE + "]")
            .getOrDefault(policy, policy);
    String fairness =
        "tau: 0.2, delta: 0.05"
            + (policy.equals("pairs") ? ", certificates: {interval: pairs}" : "");
    Scenario scenario =
        Scenario.under(SpecVariant.of(name).fairness(fairness).text()).context("d1", 0);
    scenario.book.publish(
        second(name).fairness(fairness).levels(variable, levels.split(" ", -1)).text());
    scenario.context("d2", 1);
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes());
    assertEquals(1L, last(scenario).specVersion());
    scenario.book.publish(
        second(name)
            .version(3)
            .fairness(fairness)
            .levels(variable, levels.split(" ", -1))
            .onIncompatibleChange("reset")
            .text());
    scenario.reward("d1", null, 2, 1, Map.of("M", "1"));
    assertEquals(List.of("model", "audit"), adoption(scenario).stateReset());
    assertEquals(List.of("SPEC_REJECTED", "MODEL_CHANGED"), scenario.deadLetterCodes());
    assertEquals(1, scenario.count(Account.REWARD_NOT_LEARNABLE));
    scenario.assertBalanced(2, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"linucb, alpha: 0", "linucb, model: shared", "glm-ucb"})
  void aLevelThatNoFeatureShowsLeavesAModelOverFeaturesAsItIs(String policy) {
    Scenario scenario = Scenario.under(SpecVariant.of(policy).text());
    scenario.context("d1", 0).context("d2", 1).reward("d2", 2, 1);
    scenario.book.publish(second(policy).levels("M", "0", "half", "1").text());
    scenario.reward("d1", null, 3, 1, Map.of("M", "half"));
    assertEquals(List.of(), adoption(scenario).stateReset());
    assertEquals(Map.of("M", "half"), lastSegmentEvent(scenario).mediators());
    scenario.context("d3", 4);
    assertTrue(last(scenario).mean() > 0, "what was learned goes on");
    scenario.assertBalanced(3, 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linucb, model: shared, alpha: 0, features: [one-hot: A]",
        "linucb, model: shared, alpha: 0, features: [product: [one-hot: X, one-hot: A]]",
        "ofulog, features: [one-hot: A], radius: {scale: 1e-9}"
      })
  void aPendingDecisionIsLearnedForTheArmThatItPlayed(String policy) {
    Scenario scenario = Scenario.under(SpecVariant.of(policy).text()).context("d1", 0);
    assertEquals("A=left", last(scenario).arm());
    scenario.book.publish(second(policy).levels("A", "up", "right", "left").text());
    scenario.reward("d1", 1, 1);
    assertEquals(List.of("A"), adoption(scenario).adoption().extendedVariables());
    scenario.context("d2", 2);
    assertEquals("A=left", last(scenario).arm(), "left is where left was");
    double learned = last(scenario).mean();
    scenario.reward("d2", 3, 1).context("d3", 4);
    assertTrue(last(scenario).mean() > learned, "it goes on to learn");
    scenario.assertBalanced(3, 2);
    scenario.log.replay(new ReplayOracle(scenario.book, scenario.causalBounds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ucb",
        "f-ucb, explore: {share: 0.3, over: all}",
        "linucb",
        "linucb, constraint: hard",
        "linucb, model: shared, constraint: screen, features: [intercept, product: [one-hot: S,"
            + " one-hot: A], product: [one-hot: X, one-hot: A]]",
        "linucb, model: shared, forget: {rounds: 20}",
        "fair-linucb, groups: {attribute: S, privileged: a, protected: b}",
        "glm-ucb",
        "screen",
        "dual-upper, features: [one-hot: X, product: [one-hot: S, one-hot: A]]",
        "forced-exploration, explore: {share: 0.2, over: all}",
        "oam, horizon: 200",
        "oam, horizon: 200, variance: 0.01, features: [intercept, product: [one-hot: S, one-hot:"
            + " A]]"
      })
  void anOfferComesAndGoesUnderLoad(String policy) {
    SpecVariant first = SpecVariant.of(policy).join(SAFE);
    Scenario scenario = Scenario.under(first.text());
    for (int i = 0; i < 120; i++) {
      if (i == 40) {
        scenario.book.publish(second(policy).join(SAFE).levels("A", "up", "right", "left").text());
      } else if (i == 80) {
        scenario.book.publish(
            second(policy)
                .version(3)
                .join(SAFE)
                .levels("A", "up", "right", "left")
                .arms("{A: up}", "{A: left}")
                .text());
      }
      Map<String, Object> person =
          Map.of("S", i % 2 == 0 ? "a" : "b", "X", i % 3 == 0 ? "low" : "high");
      scenario.context("d" + i, i, person);
      if (i >= 5) {
        int seen = i - 5;
        String arm = scenario.log.decisions.get(seen).arm();
        double reward = (arm.equals("A=up") || seen % 4 == 0) ? 1 : 0;
        scenario.reward("d" + seen, null, i + 0.5, reward, Map.of("M", "1"));
      }
    }
    assertEquals(List.of(), scenario.deadLetterCodes());
    assertEquals(115, scenario.count(Account.REWARD_APPLIED));
    List<List<String>> adoptions =
        scenario.log.segmentEvents.stream()
            .filter(one -> one.type() == SegmentEventType.SPEC_ADOPTED)
            .map(SegmentEvent::stateReset)
            .toList();
    assertEquals(List.of(List.of(), List.of(), List.of()), adoptions, "nothing starts empty");
    Set<String> played =
        scenario.log.decisions.subList(40, 80).stream()
            .map(Decision::arm)
            .collect(Collectors.toSet());
    assertTrue(played.contains("A=up"), "the new offer is played: " + played);
    assertTrue(
        scenario.log.decisions.subList(80, 120).stream()
            .noneMatch(decision -> decision.arm().equals("A=right")),
        "the retired one is not");
    scenario.assertBalanced(120, 115);
    scenario.log.replay(scenario.book, scenario.causalBounds, null);
  }

  @Test
  void afterASpecWhoseTextIsLostOnlyTheSameMeaningTakesOver() {
    Scenario scenario = Scenario.under(SpecVariant.of("ucb").text()).context("d1", 0);
    scenario.book.retire();
    scenario.book.publish(second("ucb").levels("X", "low", "mid", "high").text());
    scenario.context("d2", 1);
    assertEquals(List.of("SPEC_REJECTED", "UNKNOWN_SEGMENT"), scenario.deadLetterCodes());
  }

  @Test
  void tauMayMoveWithTheLevelsAndWithDecisionsInFlight() {
    Scenario scenario = Scenario.under(SpecVariant.of("f-ucb").text());
    scenario.context("d1", 0, HIGH);
    scenario.book.publish(
        second("f-ucb").levels("X", "mid", "low", "high").fairness("tau: 0.4, delta: 0.01").text());
    scenario.reward("d1", null, 1, 0.5, Map.of("M", "1"));
    assertEquals(SegmentEventType.REWARD_APPLIED, lastSegmentEvent(scenario).type());
    scenario.book.publish(second("d-ucb").version(3).levels("X", "mid", "low", "high").text());
    scenario.context("d2", 2, HIGH);
    assertEquals("d-ucb", last(scenario).policy());
    assertEquals(List.of(), adoption(scenario).stateReset(), "another rule over the same cells");
    scenario.assertBalanced(2, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "'eps-cclb, epsilon: 0.1, dual: {schedule: anytime}', 0 1",
    "'eps-cclb, epsilon: 0.1, dual: {schedule: anytime}', half 0 1",
    "'linucb, constraint: dual', 0 1",
    "'linucb, constraint: dual', half 0 1"
  })
  void aDualStartsAnewUnderAnotherTauAndTheModelGoesOn(String policy, String levels) {
    Scenario scenario = Scenario.under(SpecVariant.of(policy).text());
    scenario.context("d1", 0).context("d2", 0).reward("d2", null, 1, 1, Map.of("M", "1"));
    scenario.book.publish(
        second(policy).levels("M", levels.split(" ", -1)).fairness("tau: 0.3, delta: 0.05").text());
    scenario.reward("d1", null, 2, 1, Map.of("M", "1")).context("d3", 3);
    assertEquals(List.of("policy-state"), adoption(scenario).stateReset());
    assertEquals(
        levels.startsWith("half"),
        adoption(scenario).adoption().extendedVariables().equals(List.of("M")));
    assertEquals(2, scenario.count(Account.REWARD_APPLIED));
    scenario.assertBalanced(3, 2);
  }
}
