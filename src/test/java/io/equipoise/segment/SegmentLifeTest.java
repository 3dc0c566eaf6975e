package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.Account;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.replay.ReplayMismatchException;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What outlasts single events: room, specs, snapshots, replay. */
class SegmentLifeTest {

  @Test
  void decisionsThatOutliveTheirSpecAreClosedNotLearnable() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0);
    scenario.book.retire();
    scenario.reward("d1", 1, 0.5).context("d2", 2).passTo(1000);
    assertEquals(List.of("UNKNOWN_SEGMENT", "UNKNOWN_SEGMENT"), scenario.deadLetterCodes());
    SegmentEvent expired = scenario.log.segmentEvents.get(1);
    assertEquals(SegmentEventType.REWARD_TIMEOUT, expired.type());
    assertEquals("UNKNOWN_SEGMENT", expired.reason());
    assertEquals(1, scenario.count(Account.DECISION_CLOSED_NOT_LEARNABLE));
    scenario.passTo(4000).assertNothingLeft();
    scenario.book.publish(TestSpecs.ucb());
    scenario.assertBalanced(2, 1);
  }

  @Test
  void whatDoesNotFitIsEvictedOldestFirstAndItsRewardIsNotLearnable() {
    Scenario scenario =
        Scenario.under(
            TestSpecs.ucb(
                "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, max-pending:"
                    + " 2}",
                "{range: [0, 1]}"));
    scenario.context("d1", 0).context("d2", 10).context("d3", 20);
    SegmentEvent evicted = scenario.log.segmentEvents.get(1);
    assertEquals(SegmentEventType.DECISION_EVICTED, evicted.type());
    assertEquals(scenario.log.decisions.get(0).seq(), evicted.decisionSeq());
    scenario.reward("d1", 21, 0.5);
    assertEquals(List.of("DECISION_NOT_LEARNABLE"), scenario.deadLetterCodes());
    assertEquals(1, scenario.count(Account.DECISION_EVICTED));
    scenario.assertBalanced(3, 1);
    scenario.passTo(500).assertNothingLeft();
  }

  @Test
  void aSpecThatKeepsTheMeaningKeepsStatisticsAndPendingDecisions() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0);
    scenario.book.publish(
        TestSpecs.text(
            "ucb",
            2,
            "{reward-window: 90s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reject"));
    scenario.reward("d1", 1, 0.5);
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    assertEquals(List.of(), scenario.log.segmentEvents.get(1).stateReset());
    scenario.assertBalanced(1, 1);
  }

  @Test
  void anOlderNumberIsNotAdopted() {
    String older = TestSpecs.ucb();
    String newer =
        TestSpecs.text(
            "ucb",
            2,
            "{reward-window: 90s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reject");
    Scenario scenario = Scenario.under(newer).context("d1", 0);
    scenario.book.publish(older);
    scenario.context("d2", 1);
    assertEquals(2L, scenario.log.decisions.get(1).specVersion());
    scenario.assertBalanced(2, 0);
  }

  @Test
  void aSpecThatChangesTheMeaningIsRefusedAndTheOldOneGoesOn() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0);
    scenario.book.publish(
        TestSpecs.text(
            "d-ucb",
            2,
            "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reject"));
    scenario.reward("d1", 1, 0.5).context("d2", 2);
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes());
    assertEquals("ucb", scenario.log.decisions.get(1).policy());
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    scenario.assertBalanced(2, 1);
  }

  @Test
  void aResetSettlesWhatWasPendingNotLearnable() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0);
    scenario.book.publish(
        TestSpecs.text(
            "d-ucb",
            2,
            "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reset"));
    scenario.reward("d1", 1, 0.5).passTo(62);
    assertEquals(List.of("MODEL_CHANGED"), scenario.deadLetterCodes());
    assertEquals(List.of("model", "audit"), scenario.log.segmentEvents.get(1).stateReset());
    assertEquals(1, scenario.count(Account.DECISION_CLOSED_NOT_LEARNABLE));
    scenario.assertBalanced(1, 1);
    scenario.passTo(200).assertNothingLeft();
  }

  @Test
  void metricsComeByCountAndByEventTime() {
    Scenario scenario = Scenario.under(TestSpecs.ucb());
    for (int i = 0; i < 10; i++) {
      scenario.context("d" + i, i);
    }
    assertEquals(1, scenario.log.metrics.size());
    assertEquals(10, scenario.log.metrics.get(0).rounds());
    scenario.passTo(1000);
    assertEquals(
        0, scenario.log.metrics.get(scenario.log.metrics.size() - 1).decisions().awaiting());
    assertNotNull(scenario.log.metrics.get(0).digests());
    scenario.assertBalanced(10, 0);
  }

  @Test
  void metricsCountTheIdsThatAreRememberedUntilTheyExpire() {
    Scenario scenario = Scenario.under(TestSpecs.ucb());
    scenario.context("refused", 0, Map.of("S", "a", "X", "unknown"));
    for (int i = 0; i < 9; i++) {
      scenario.context("d" + i, i);
    }
    scenario.reward("d0", 9, 0.5).reward("d1", 9, 0.5).context("d1", 9).context("d9", 9);
    assertEquals(3, scenario.log.metrics.get(0).dedupEntries());
    scenario.passTo(100);
    assertEquals(11, lastDedupEntries(scenario));
    scenario.passTo(1000).context("e", 1001).passTo(1100);
    assertEquals(1, lastDedupEntries(scenario), "those of the first minute have expired");
    scenario.passTo(2000).assertNothingLeft();
  }

  @Test
  void metricsCountNoMoreRememberedIdsThanTheLimit() {
    Scenario scenario =
        Scenario.under(
            TestSpecs.ucb(
                "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, max-pending:"
                    + " 3}",
                "{range: [0, 1]}"));
    for (int i = 0; i < 10; i++) {
      scenario.context("d" + i, i);
    }
    assertEquals(7, scenario.count(Account.DECISION_EVICTED));
    assertEquals(3, scenario.log.metrics.get(0).dedupEntries());
    scenario.passTo(1000).assertNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"model", "none"})
  void metricsCountTheRememberedIdsOfAnActivatedSegment(String retain) {
    Scenario scenario =
        Scenario.under(TestSpecs.ucb() + "idle-state: {after: 600s, retain: " + retain + "}\n")
            .context("d1", 0)
            .context("d2", 0)
            .passTo(10_000);
    assertNotNull(scenario.state.passivated());
    assertEquals(2, lastDedupEntries(scenario));
    scenario.context("e", 10_001).passTo(10_100);
    assertEquals(1, lastDedupEntries(scenario));
    scenario.passTo(20_000).assertNothingLeft();
  }

  @Test
  void theOracleSeesAMissingRecordAnotherArmAndAnotherState() {
    Scenario scenario = Scenario.under(TestSpecs.ucb());
    for (int i = 0; i < 10; i++) {
      scenario.context("d" + i, i);
    }
    ReplayOracle gap = new ReplayOracle(scenario.book);
    assertThrows(
        ReplayMismatchException.class, () -> gap.onDecision(scenario.log.decisions.get(0)));
    RecordedLog withoutReward = new RecordedLog();
    scenario.reward("d1", 2, 0.5).passTo(1000);
    scenario.log.all.stream()
        .filter(
            record ->
                !(record instanceof SegmentEvent segmentEvent)
                    || segmentEvent.learnedReward() == null)
        .forEach(record -> put(withoutReward, record));
    assertThrows(
        ReplayMismatchException.class, () -> withoutReward.replay(new ReplayOracle(scenario.book)));
    scenario.assertBalanced(10, 1);
  }

  private static long lastDedupEntries(Scenario scenario) {
    List<SegmentMetrics> all = scenario.log.metrics;
    return all.get(all.size() - 1).dedupEntries();
  }

  private static void put(RecordedLog log, Record record) {
    log.all.add(record);
  }
}
