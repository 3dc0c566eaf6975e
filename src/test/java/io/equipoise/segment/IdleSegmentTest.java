package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.replay.ReplayMismatchException;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segment.state.PassivatedSegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A segment without input gives up its state by its spec's rule, and comes back. */
class IdleSegmentTest {
  private static final int AFTER_SECONDS = 600;

  private static String spec(String keep) {
    return TestSpecs.ucb() + "idle-state: {after: 600s, retain: " + keep + "}\n";
  }

  /** Ten decisions, of which every second is rewarded. */
  private static Scenario played(String keep) {
    Scenario scenario = Scenario.under(spec(keep));
    for (int i = 0; i < 10; i++) {
      scenario.context("d" + i, i);
      if (i % 2 == 0) {
        scenario.reward("d" + i, i + 0.5, i % 4 == 0 ? 1 : 0);
      }
    }
    return scenario;
  }

  private static SegmentEvent last(Scenario scenario) {
    return scenario.log.segmentEvents.get(scenario.log.segmentEvents.size() - 1);
  }

  @Test
  void itRestsWhenTheTimeSinceItsLastInputIsOver() {
    Scenario scenario = played("model").passTo(9 + AFTER_SECONDS - 1);
    assertNotNull(scenario.state.head());
    scenario.passTo(9 + AFTER_SECONDS + 10);
    assertEquals(SegmentEventType.SEGMENT_PASSIVATED, last(scenario).type());
    assertEquals(true, last(scenario).modelRetained());
    assertEquals(Scenario.millis(9 + AFTER_SECONDS), last(scenario).eventTime());
    assertNull(last(scenario).decisionSeq());
    assertNull(scenario.state.head());
    assertNotNull(scenario.state.passivated());
    scenario.assertNothingLeft();
  }

  @Test
  void theLastSnapshotBeforeTheRestIsOfTheStateThatRests() {
    Scenario scenario = played("none").passTo(100_000);
    long seq = scenario.log.metrics.get(scenario.log.metrics.size() - 1).seq();
    assertEquals(last(scenario).seq() - 1, seq);
  }

  @Test
  void itGoesOnWithWhatItHadLearned() {
    Scenario rested = played("model").passTo(100_000).context("e", 100_001);
    Scenario awake = played("model").passTo(500).context("e", 100_001);
    assertEquals(SegmentEventType.SEGMENT_ACTIVATED, last(rested).type());
    Decision after = rested.log.decisions.get(10);
    Decision reference = awake.log.decisions.get(10);
    assertEquals(reference.arm(), after.arm());
    assertEquals(reference.mean(), after.mean());
    assertEquals(reference.width(), after.width());
    assertEquals(
        reference.seq() + 2, after.seq(), "SEGMENT_PASSIVATED and SEGMENT_ACTIVATED lie between");
    rested.reward("e", 100_002, 1).passTo(200_000);
    rested.log.replay(new ReplayOracle(rested.book));
  }

  @Test
  void itStartsAnewButForItsPlaceInTheLogAndItsLedgers() {
    Scenario scenario = played("none").passTo(100_000);
    long seq = last(scenario).seq();
    scenario.context("e", 100_001);
    List<SegmentEventType> kinds = scenario.segmentEventTypes();
    assertEquals(
        List.of(
            SegmentEventType.SEGMENT_PASSIVATED,
            SegmentEventType.SEGMENT_ACTIVATED,
            SegmentEventType.SPEC_ADOPTED),
        kinds.subList(kinds.size() - 3, kinds.size()));
    Decision after = scenario.log.decisions.get(10);
    assertEquals(seq + 3, after.seq());
    assertEquals(scenario.log.decisions.get(0).width(), after.width());
    assertEquals(11, scenario.count(Account.CONTEXT_DECIDED));
    assertEquals(5, scenario.count(Account.REWARD_APPLIED));
    assertEquals(5, scenario.count(Account.DECISION_TIMED_OUT));
    assertEquals(1, scenario.head().rounds);
    scenario.assertBalanced(11, 5);
  }

  @Test
  void whatKeepsNothingTakesFewBytes() {
    Scenario scenario = played("none").passTo(100_000);
    PassivatedSegment passivated = scenario.state.passivated();
    assertNotNull(passivated);
    assertTrue(passivated.bytes().length < 30, passivated.toString());
    assertTrue(PassivatedSegment.largest(Integer.MAX_VALUE).bytes().length <= 107);
  }

  @Test
  void itDoesNotRestWhileADecisionThatAnEarlierSpecMadeAwaits() {
    String patient = "{reward-window: 600s, early-reward-timeout: 30s, dedup-window: 60s}";
    Scenario scenario = Scenario.under(TestSpecs.ucb(patient, "{range: [0, 1]}")).context("d", 0);
    String hasty = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
    scenario.book.publish(
        TestSpecs.text("ucb", 2, hasty, "{range: [0, 1]}", "reject")
            + "idle-state: {after: 120s}\n");
    scenario.reward("early", 1, 1).passTo(590);
    assertEquals(1, scenario.head().pending);
    assertNotNull(scenario.state.head());
    scenario.passTo(10_000);
    assertNotNull(scenario.state.passivated());
    assertEquals(1, scenario.count(Account.DECISION_TIMED_OUT));
    assertEquals(1, scenario.count(Account.REWARD_ORPHAN));
    scenario.assertNothingLeft();
  }

  @Test
  void aRewardWakesItToo() {
    Scenario scenario = played("model").passTo(100_000).reward("late", 100_001, 1);
    assertEquals(SegmentEventType.SEGMENT_ACTIVATED, last(scenario).type());
    scenario.passTo(300_000).assertNothingLeft();
    assertEquals(SegmentEventType.SEGMENT_PASSIVATED, last(scenario).type());
    scenario.log.replay(new ReplayOracle(scenario.book));
  }

  @Test
  void aRunningExperimentNeverRests() {
    String text =
        TestSpecs.experiment(
            "csr-v2, samples: 8, control: \"A=left\"",
            1,
            "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reject");
    Scenario scenario = Scenario.under(text + "idle-state: {after: 600s}\n");
    scenario.context("d1", 0).reward("d1", 1, 0.5).passTo(100_000);
    assertNull(scenario.state.passivated());
    assertEquals(0, scenario.state.timerCount());
  }

  @Test
  void aSegmentThatANewerSpecGivesARuleRestsToo() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d", 0);
    scenario.book.publish(
        TestSpecs.text(
                "ucb",
                2,
                "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
                "{range: [0, 1]}",
                "reject")
            + "idle-state: {after: 600s}\n");
    scenario.passTo(10_000);
    assertNotNull(scenario.state.passivated());
  }

  @Test
  void theOracleRefusesARestWithoutARuleAndAReturnThatWasNone() {
    Scenario scenario = played("none").passTo(100_000).context("e", 100_001);
    RecordedLog withoutReturn = new RecordedLog();
    for (Record record : scenario.log.all) {
      if (!(record instanceof SegmentEvent segmentEvent)
          || segmentEvent.type() != SegmentEventType.SEGMENT_ACTIVATED) {
        withoutReturn.all.add(record);
      }
    }
    assertThrows(
        ReplayMismatchException.class, () -> withoutReturn.replay(new ReplayOracle(scenario.book)));
    SegmentEvent nothing = last(played("none").passTo(100_000));
    Scenario model = played("model").passTo(100_000);
    RecordedLog otherRule = new RecordedLog();
    otherRule.all.addAll(model.log.all);
    otherRule.all.set(model.log.all.indexOf(last(model)), nothing);
    assertThrows(
        ReplayMismatchException.class, () -> otherRule.replay(new ReplayOracle(model.book)));
  }
}
