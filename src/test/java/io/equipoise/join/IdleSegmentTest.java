package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Decision;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.join.Ledgers.Account;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A segment without input gives up its state by its spec's rule, and comes back. */
class IdleSegmentTest {
  private static final int AFTER_SECONDS = 600;

  private static String spec(String keep) {
    return TestSpecs.ucb() + "idle: {after: 600s, keep: " + keep + "}\n";
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

  private static Outcome last(Scenario scenario) {
    return scenario.log.outcomes.get(scenario.log.outcomes.size() - 1);
  }

  @Test
  void itRestsWhenTheTimeSinceItsLastInputIsOver() {
    Scenario scenario = played("model").passTo(9 + AFTER_SECONDS - 1);
    assertNotNull(scenario.state.head());
    scenario.passTo(9 + AFTER_SECONDS + 10);
    assertEquals(OutcomeKind.EVICTED, last(scenario).kind());
    assertEquals("SEGMENT, keep: model", last(scenario).detail());
    assertEquals(Scenario.millis(9 + AFTER_SECONDS), last(scenario).eventTime());
    assertNull(last(scenario).decisionSeq());
    assertNull(scenario.state.head());
    assertNotNull(scenario.state.stub());
    scenario.assertNothingLeft();
  }

  @Test
  void theLastSnapshotBeforeTheRestIsOfTheStateThatRests() {
    Scenario scenario = played("nothing").passTo(100_000);
    long seq = scenario.log.metrics.get(scenario.log.metrics.size() - 1).seq();
    assertEquals(last(scenario).seq() - 1, seq);
  }

  @Test
  void itGoesOnWithWhatItHadLearnt() {
    Scenario rested = played("model").passTo(100_000).context("e", 100_001);
    Scenario awake = played("model").passTo(500).context("e", 100_001);
    assertEquals(OutcomeKind.REVIVED, last(rested).kind());
    Decision after = rested.log.decisions.get(10);
    Decision reference = awake.log.decisions.get(10);
    assertEquals(reference.arm(), after.arm());
    assertEquals(reference.mean(), after.mean());
    assertEquals(reference.width(), after.width());
    assertEquals(reference.seq() + 2, after.seq(), "EVICTED and REVIVED lie between");
    rested.reward("e", 100_002, 1).passTo(200_000);
    rested.log.replay(new Oracle(rested.book));
  }

  @Test
  void itStartsAnewButForItsPlaceInTheLogAndItsLedgers() {
    Scenario scenario = played("nothing").passTo(100_000);
    long seq = last(scenario).seq();
    scenario.context("e", 100_001);
    List<OutcomeKind> kinds = scenario.outcomeKinds();
    assertEquals(
        List.of(OutcomeKind.EVICTED, OutcomeKind.REVIVED, OutcomeKind.SPEC_ADOPTED),
        kinds.subList(kinds.size() - 3, kinds.size()));
    Decision after = scenario.log.decisions.get(10);
    assertEquals(seq + 3, after.seq());
    assertEquals(scenario.log.decisions.get(0).width(), after.width());
    assertEquals(11, scenario.count(Account.CONTEXT_DECIDED));
    assertEquals(5, scenario.count(Account.REWARD_APPLIED));
    assertEquals(5, scenario.count(Account.DECISION_EXPIRED));
    assertEquals(1, scenario.head().rounds);
    scenario.assertBalanced(11, 5);
  }

  @Test
  void whatKeepsNothingTakesFewBytes() {
    Scenario scenario = played("nothing").passTo(100_000);
    SegmentStub stub = scenario.state.stub();
    assertNotNull(stub);
    assertTrue(stub.bytes().length < 30, stub.toString());
    assertTrue(SegmentStub.largest(Integer.MAX_VALUE).bytes().length <= 107);
  }

  @Test
  void itDoesNotRestWhileADecisionThatAnEarlierSpecMadeAwaits() {
    String patient = "{window: 600s, early: 30s, dedup: 60s}";
    Scenario scenario = Scenario.under(TestSpecs.ucb(patient, "{range: [0, 1]}")).context("d", 0);
    String hasty = "{window: 60s, early: 30s, dedup: 60s}";
    scenario.book.publish(
        TestSpecs.text("ucb", 2, hasty, "{range: [0, 1]}", "refuse") + "idle: {after: 120s}\n");
    scenario.reward("early", 1, 1).passTo(590);
    assertEquals(1, scenario.head().pending);
    assertNotNull(scenario.state.head());
    scenario.passTo(10_000);
    assertNotNull(scenario.state.stub());
    assertEquals(1, scenario.count(Account.DECISION_EXPIRED));
    assertEquals(1, scenario.count(Account.REWARD_ORPHAN));
    scenario.assertNothingLeft();
  }

  @Test
  void aRewardWakesItToo() {
    Scenario scenario = played("model").passTo(100_000).reward("late", 100_001, 1);
    assertEquals(OutcomeKind.REVIVED, last(scenario).kind());
    scenario.passTo(300_000).assertNothingLeft();
    assertEquals(OutcomeKind.EVICTED, last(scenario).kind());
    scenario.log.replay(new Oracle(scenario.book));
  }

  @Test
  void aRunningExperimentNeverRests() {
    String text =
        TestSpecs.experiment(
            "csr-v2, pulls: 8, incumbent: \"A=left\"",
            1,
            "{window: 60s, early: 30s, dedup: 60s}",
            "{range: [0, 1]}",
            "refuse");
    Scenario scenario = Scenario.under(text + "idle: {after: 600s}\n");
    scenario.context("d1", 0).reward("d1", 1, 0.5).passTo(100_000);
    assertNull(scenario.state.stub());
    assertEquals(0, scenario.state.timerCount());
  }

  @Test
  void aSegmentThatANewerSpecGivesARuleRestsToo() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d", 0);
    scenario.book.publish(
        TestSpecs.text(
                "ucb", 2, "{window: 60s, early: 30s, dedup: 60s}", "{range: [0, 1]}", "refuse")
            + "idle: {after: 600s}\n");
    scenario.passTo(10_000);
    assertNotNull(scenario.state.stub());
  }

  @Test
  void theOracleRefusesARestWithoutARuleAndAReturnThatWasNone() {
    Scenario scenario = played("nothing").passTo(100_000).context("e", 100_001);
    RecordedLog withoutReturn = new RecordedLog();
    for (Record record : scenario.log.all) {
      if (!(record instanceof Outcome outcome) || outcome.kind() != OutcomeKind.REVIVED) {
        withoutReturn.all.add(record);
      }
    }
    assertThrows(
        OracleMismatchException.class, () -> withoutReturn.replay(new Oracle(scenario.book)));
    Outcome nothing = last(played("nothing").passTo(100_000));
    Scenario model = played("model").passTo(100_000);
    RecordedLog otherRule = new RecordedLog();
    otherRule.all.addAll(model.log.all);
    otherRule.all.set(model.log.all.indexOf(last(model)), nothing);
    assertThrows(OracleMismatchException.class, () -> otherRule.replay(new Oracle(model.book)));
  }
}
