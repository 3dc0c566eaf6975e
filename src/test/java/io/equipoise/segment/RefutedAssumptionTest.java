package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.AuditRefuted;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.replay.ReplayMismatchException;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A spec that assumes what the rewards contradict. */
class RefutedAssumptionTest {
  private static final int IN_TIME = 2_000;

  /** The default of fairness.refutation-delta. */
  private static final double DELTA = 0.01;

  private static final String IGNORING = ", on-refuted-assumption: ignore";

  private static Scenario under(MisspecifiedWorld world, String policy, String fairness) {
    return Scenario.under(world.spec(policy, fairness));
  }

  private static List<SegmentEvent> refutations(Scenario scenario) {
    return scenario.log.segmentEvents.stream()
        .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.ASSUMPTION_REFUTED)
        .toList();
  }

  private static AssumptionAudit first(Scenario scenario) {
    AssumptionAudit refuted = refutations(scenario).get(0).assumption();
    if (refuted == null) {
      throw new AssertionError("a segment event without its assumption");
    }
    return refuted;
  }

  /**
   * Returns how many decisions after the onset the refutations came, where they came in time. One
   * before the onset refutes what is still true, which happens at the rate of the refutation delta:
   * it counts as missing.
   */
  private static List<Integer> delays(
      MisspecifiedWorld world, String policy, int onset, int worlds, String wanted) {
    List<Integer> delays = new ArrayList<>();
    int early = 0;
    for (int seed = 0; seed < worlds; seed++) {
      Scenario scenario = under(world, policy, "");
      int end = MisspecifiedWorld.play(world, scenario, new Random(seed), 1, onset + IN_TIME);
      early += end <= onset ? 1 : 0;
      if (end > onset && end <= onset + IN_TIME) {
        assertEquals(wanted, first(scenario).name(), "seed " + seed);
        delays.add(end - onset);
      }
    }
    Tier.found(
        RefutedAssumptionTest.class,
        world + " " + policy,
        delays.size() + "/" + worlds + " " + delays);
    double mostEarly = worlds * DELTA + 3 * Math.sqrt(worlds * DELTA * (1 - DELTA));
    assertTrue(early <= mostEarly, world + ": refuted before the onset in " + early);
    assertTrue(delays.size() >= 0.95 * worlds, world + ": in time " + delays + " of " + worlds);
    return delays;
  }

  @Test
  void anArrowThatTheGraphLacksIsFound() {
    String wanted = "R independent of S given M";
    delays(MisspecifiedWorld.ARROW, "f-ucb", 0, Tier.count(6, 100), wanted);
  }

  @Test
  void aWrongTableIsFound() {
    delays(MisspecifiedWorld.TABLE, "f-ucb", 0, Tier.count(6, 100), "P(M | S, A)");
  }

  @Test
  void anEffectThatAppearsLaterIsFound() {
    String wanted = "mean of R given M, S constant over time";
    int worlds = Tier.count(2, 100);
    delays(MisspecifiedWorld.DRIFT, "d-ucb", MisspecifiedWorld.ONSET, worlds, wanted);
  }

  @Test
  void whatIsTrueIsNotRefuted() {
    Scenario scenario = under(MisspecifiedWorld.NONE, "f-ucb", "");
    MisspecifiedWorld.play(MisspecifiedWorld.NONE, scenario, new Random(1), 1, 1_000);
    assertEquals(List.of(), refutations(scenario));
    assertTrue(
        scenario.log.audits.stream()
            .allMatch(audit -> audit.conclusion().refutedAssumption() == null));
    assertTrue(
        scenario.log.audits.stream()
            .anyMatch(audit -> audit.verdict() == AuditVerdict.CERTIFIED_FAIR));
  }

  /** Plays a world to the end of some decisions after the refutation. */
  private static Scenario refuted(MisspecifiedWorld world, String policy, String fairness) {
    Scenario scenario = under(world, policy, fairness);
    Random random = new Random(5);
    int end = MisspecifiedWorld.play(world, scenario, random, 1, 1_000);
    for (int t = end + 1; t <= end + 20; t++) {
      MisspecifiedWorld.play(world, scenario, random, t, t);
    }
    scenario.passTo(end + 1_000);
    return scenario;
  }

  @Test
  void verdictsAreWithheldFromThenOnAndTheLogIsReplayed() {
    Scenario scenario = refuted(MisspecifiedWorld.ARROW, "f-ucb", "");
    long seq = refutations(scenario).get(0).seq();
    AssumptionAudit refuted = first(scenario);
    assertTrue(refuted.logEvalue() != null && refuted.logEvalue() >= refuted.logThreshold());
    assertTrue(refuted.remedy().contains("S"), refuted.remedy());
    boolean isAfter = false;
    for (FairnessAudit audit : scenario.log.audits) {
      isAfter |= audit.seq() > seq;
      assertEquals(isAfter ? AuditRefuted.WITHHELD : null, audit.conclusion().refutedAssumption());
      assertEquals(isAfter ? AuditVerdict.UNCERTAIN : AuditVerdict.CERTIFIED_FAIR, audit.verdict());
      assertEquals(!isAfter, audit.certified());
    }
    assertTrue(isAfter);
    var metrics = scenario.log.metrics.get(scenario.log.metrics.size() - 1);
    assertTrue(metrics.assumptions().tested().contains("P(M | S, A)"), metrics::toString);
    assertEquals(List.of(refuted.name()), metrics.assumptions().refuted());
    scenario.log.replay(scenario.book, scenario.causalBounds, null);
  }

  @Test
  void aLogThatLeavesTheRefutationOutIsNotReplayed() {
    Scenario scenario = refuted(MisspecifiedWorld.ARROW, "f-ucb", "");
    SegmentEvent refutation = refutations(scenario).get(0);
    RecordedLog wrong = new RecordedLog();
    for (Record record : scenario.log.all) {
      if (record instanceof Decision decision && decision.seq() > refutation.seq()) {
        wrong.all.add(Tamper.with(decision, "seq", decision.seq() - 1));
        break;
      } else if (!record.equals(refutation)) {
        wrong.all.add(record);
      }
    }
    ReplayMismatchException thrown =
        assertThrows(
            ReplayMismatchException.class, () -> wrong.replay(new ReplayOracle(scenario.book)));
    assertTrue(
        String.valueOf(thrown.getMessage()).startsWith("certified at seq "), thrown::toString);
  }

  @Test
  void aRefutationCanBeIgnoredAndTheRecordSaysSo() {
    Scenario scenario = refuted(MisspecifiedWorld.ARROW, "f-ucb", IGNORING);
    FairnessAudit last = scenario.log.audits.get(scenario.log.audits.size() - 1);
    assertEquals(AuditRefuted.IGNORED, last.conclusion().refutedAssumption());
    assertEquals(AuditVerdict.CERTIFIED_FAIR, last.verdict());
    assertFalse(refutations(scenario).isEmpty());
    scenario.log.replay(scenario.book, scenario.causalBounds, null);
  }

  @Test
  void aRefutationOutlivesANewModelAndEndsWithTheAssumption() {
    Scenario scenario = refuted(MisspecifiedWorld.TABLE, "f-ucb", "");
    String text = MisspecifiedWorld.TABLE.spec("f-ucb", "").replace("version: 1", "version: 2");
    int now = 10_000;
    scenario.book.publish(text.replace("range: [0, 1]", "range: [0, 2]"));
    scenario.context("n1", now, Map.of("S", "v0"));
    assertEquals(
        AuditRefuted.WITHHELD,
        last(scenario).conclusion().refutedAssumption(),
        "the table is the same");
    scenario.book.publish(
        text.replace("version: 2", "version: 3")
            .replace("[v0, a0, 0.5, 0.5]", "[v0, a0, 0.9, 0.1]"));
    scenario.context("n2", now + 1, Map.of("S", "v0"));
    assertNull(last(scenario).conclusion().refutedAssumption(), "the table is another");
    scenario.log.replay(scenario.book, scenario.causalBounds, null);
  }

  private static FairnessAudit last(Scenario scenario) {
    return scenario.log.audits.get(scenario.log.audits.size() - 1);
  }
}
