package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.Decision;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.state.RetiredDefinitions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arms that are added, retired, come back, or change what they are, with decisions in flight. */
class RetiredArmTest {
  private static final String ONE = "{id: one, A: left}";
  private static final String TWO = "{id: two, A: right}";
  private static final String THREE = "{id: three, A: left}";

  private static SpecVariant spec(String policy, int number, String... arms) {
    return SpecVariant.of(policy).version(number).arms(arms);
  }

  private static Decision last(Scenario scenario) {
    return scenario.log.decisions.get(scenario.log.decisions.size() - 1);
  }

  private static SegmentEvent lastSegmentEvent(Scenario scenario) {
    return scenario.log.segmentEvents.get(scenario.log.segmentEvents.size() - 1);
  }

  private static Scenario shown(Scenario scenario, String id, double seconds, String arm) {
    return scenario.reward(
        new RewardEvent(
            id,
            null,
            Scenario.SEGMENT,
            Scenario.millis(seconds),
            1,
            Map.of("M", "1"),
            arm,
            scenario.origin("rewards", seconds),
            new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ucb", "linucb", "linucb, model: shared", "glm-ucb"})
  void aPendingDecisionForARetiredArmIsLearnedAndTheArmComesBackWithIt(String policy) {
    Scenario scenario = Scenario.under(spec(policy, 1, ONE, TWO).text()).context("d1", 0);
    assertEquals("one", last(scenario).arm());
    scenario.book.publish(spec(policy, 2, TWO).text());
    scenario.reward("d1", 1, 1);
    assertEquals(List.of(), scenario.deadLetterCodes());
    assertEquals(SegmentEventType.REWARD_APPLIED, lastSegmentEvent(scenario).type());
    assertEquals("one", lastSegmentEvent(scenario).arm());
    scenario.context("d2", 2);
    assertEquals("two", last(scenario).arm(), "what is retired is not given");
    scenario.reward("d2", 3, 0).context("d3", 4).reward("d3", 5, 0);
    scenario.book.publish(spec(policy, 3, ONE, TWO).text());
    scenario.context("d4", 6);
    assertEquals("one", last(scenario).arm(), "it brought 1, the other one 0");
    assertTrue(last(scenario).mean() > 0, "it is known: " + last(scenario).mean());
    assertNull(scenario.state.blocks().get(RetiredDefinitions.KEY), "nothing is retired any more");
    scenario.assertBalanced(4, 3);
  }

  @Test
  void aRetiredArmMayHaveBeenTheOneReallyShown() {
    Scenario scenario = Scenario.under(spec("ucb", 1, ONE, TWO).text());
    scenario.context("d1", 0).reward("d1", 1, 0).context("d2", 2).context("d3", 3);
    assertEquals("two", last(scenario).arm());
    scenario.book.publish(spec("ucb", 2, TWO).text());
    shown(scenario, "d2", 4, "one");
    assertEquals(SegmentEventType.REWARD_APPLIED, lastSegmentEvent(scenario).type());
    assertEquals("one", lastSegmentEvent(scenario).arm());
    shown(scenario, "d3", 4, "three");
    assertEquals(List.of("UNKNOWN_ARM"), scenario.deadLetterCodes(), "that one never was");
    scenario.assertBalanced(3, 3);
  }

  @Test
  void theSilenceAfterARetiredArmIsLearnedAsEver() {
    String reward = "{range: [0, 1], default: {value: 0.25, mediators: {M: \"1\"}}}";
    Scenario scenario =
        Scenario.under(spec("ucb", 1, ONE, TWO).reward(reward).text()).context("d1", 0);
    scenario.book.publish(spec("ucb", 2, TWO).reward(reward).text());
    scenario.passTo(100);
    assertEquals(SegmentEventType.REWARD_TIMEOUT, lastSegmentEvent(scenario).type());
    assertEquals(0.25, lastSegmentEvent(scenario).learnedReward());
    scenario.assertBalanced(1, 0);
  }

  @Test
  void rewardsThatAreCollectedForARetiredArmAreLearned() {
    String join =
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: sum}";
    Scenario scenario = Scenario.under(spec("ucb", 1, ONE, TWO).join(join).text());
    scenario.context("d1", 0).reward("d1", "r1", 1, 0.25, Map.of());
    scenario.book.publish(spec("ucb", 2, TWO).join(join).text());
    scenario.reward("d1", "r2", 2, 0.25, Map.of()).passTo(100);
    assertEquals(SegmentEventType.WINDOW_CLOSED, lastSegmentEvent(scenario).type());
    assertEquals(0.5, lastSegmentEvent(scenario).learnedReward());
    scenario.assertBalanced(1, 2);
  }

  @Test
  void anAddedArmStartsEmptyBesideWhatIsKnown() {
    Scenario scenario = Scenario.under(spec("linucb", 1, ONE, TWO).text());
    scenario.context("d1", 0);
    scenario.book.publish(spec("linucb", 2, ONE, TWO, THREE).text());
    scenario.reward("d1", 1, 0).context("d2", 2);
    assertEquals(
        List.of("one", "two", "three"), scenario.log.segmentEvents.get(1).adoption().arms());
    assertEquals(List.of(), lastSegmentEvent(scenario).stateReset());
    scenario.reward("d2", 3, 0).context("d3", 4);
    assertEquals("three", last(scenario).arm(), "the only one of which nothing is known");
    assertEquals(0, last(scenario).mean());
    scenario.assertBalanced(3, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ucb", "linucb", "glm-ucb"})
  void anIdThatGoesOnAsAnotherArmIsRefused(String policy) {
    Scenario scenario = Scenario.under(spec(policy, 1, ONE, TWO).text()).context("d1", 0);
    scenario.book.publish(spec(policy, 2, "{id: one, A: right}", TWO).text());
    scenario.context("d2", 1).reward("d1", 2, 1);
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes());
    assertEquals(1L, last(scenario).specVersion());
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    scenario.assertBalanced(2, 1);
  }

  @Test
  void anIdThatComesBackAsAnotherArmIsRefusedOrStartsAnew() {
    Scenario scenario = Scenario.under(spec("ucb", 1, ONE, TWO).text()).context("d1", 0);
    scenario.book.publish(spec("ucb", 2, TWO).text());
    scenario.context("d2", 1);
    RetiredDefinitions kept = heritage(scenario);
    assertEquals(List.of("left"), kept.retired("one"));
    String other = "{id: one, A: right}";
    scenario.book.publish(spec("ucb", 3, other, TWO).text());
    scenario.context("d3", 2);
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes());
    scenario.book.publish(spec("ucb", 4, other, TWO).onIncompatibleChange("reset").text());
    scenario.reward("d1", 3, 1);
    assertEquals(List.of("model", "audit"), lastSegmentEvent(scenario).stateReset());
    assertEquals(List.of("SPEC_REJECTED", "MODEL_CHANGED"), scenario.deadLetterCodes());
    assertNull(scenario.state.blocks().get(RetiredDefinitions.KEY), "it went with the model");
    scenario.assertBalanced(3, 1);
  }

  private static RetiredDefinitions heritage(Scenario scenario) {
    return assertInstanceOf(
        RetiredDefinitions.class, scenario.state.blocks().get(RetiredDefinitions.KEY));
  }

  /** Its plan has rows for the arms of the spec, so a late reward of another has none. */
  @Test
  void allocationMatchingPlansWithoutARetiredArmAndLearnsFromItsLateReward() {
    String oam = "oam, horizon: 200";
    Scenario scenario = Scenario.under(spec(oam, 1, ONE, TWO).text());
    for (int i = 0; i < 20; i++) {
      scenario.context("d" + i, i).reward("d" + i, i + 0.5, i % 2);
    }
    scenario.context("late", 20);
    scenario.book.publish(spec(oam, 2, TWO).text());
    scenario.reward("late", 21, 1);
    assertEquals(SegmentEventType.REWARD_APPLIED, lastSegmentEvent(scenario).type());
    for (int i = 0; i < 20; i++) {
      scenario.context("e" + i, 22 + i).reward("e" + i, 22.5 + i, 1);
      assertEquals("two", last(scenario).arm());
    }
    scenario.book.publish(spec(oam, 3, ONE, TWO).text());
    scenario.context("again", 50);
    assertEquals("one", last(scenario).arm(), "it is unknown again, so it is tried at once");
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.assertBalanced(42, 41);
    scenario.log.replay(scenario.book, scenario.causalBounds, null);
  }

  @Test
  void otherArmsAreANewExperiment() {
    String policy = "csr-v2, samples: 8, control: \"A=left\"";
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
    String first = TestSpecs.experiment(policy, 1, join, "{range: [0, 1]}", "reject");
    String second =
        TestSpecs.experiment(policy, 2, join, "{range: [0, 1]}", "reject")
            .replace("arms: all", "arms: [{A: left}]");
    Scenario scenario = Scenario.under(first).context("d1", 0);
    scenario.book.publish(second);
    scenario.context("d2", 1);
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes());
    scenario.book.publish(
        second.replace("version: 2", "version: 3").replace(": reject", ": reset"));
    scenario.reward("d1", null, 2, 1, Map.of("M", "1"));
    assertEquals(List.of("SPEC_REJECTED", "MODEL_CHANGED"), scenario.deadLetterCodes());
    assertEquals(List.of("model", "audit"), lastSegmentEvent(scenario).stateReset());
    scenario.assertBalanced(2, 1);
  }
}
