package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditVerdict;
import io.equipoise.event.CumulativeViolation;
import io.equipoise.event.Decision;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.policy.tabular.PerRoundConfidence;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the records say of running violations, and of traffic that cannot tell them. */
@Tag("slow")
class OverlapSegmentTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  /** Decides for people of these values of S in turn; arm and luck decide on the reward. */
  private static Scenario played(String policy, int rounds, String... people) {
    Scenario scenario =
        Scenario.under(TestSpecs.text(policy, 1, JOIN, "{range: [0, 1]}", "reject"));
    for (int i = 0; i < rounds; i++) {
      String person = people[i % people.length];
      scenario.context("d" + i, i, Map.of("S", person, "X", i % 3 == 0 ? "low" : "high"));
      scenario.reward("d" + i, "r", i + 0.5, i % 7 < 4 ? 1 : 0, Map.of("M", "" + i % 2));
    }
    return scenario;
  }

  private static SegmentMetrics last(Scenario scenario) {
    return scenario.log.metrics.get(scenario.log.metrics.size() - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ofulog", "screen", "linucb", "ucb"})
  void trafficWithoutVariationInTheSensitiveAttributeRingsTheAlarm(String policy) {
    Scenario scenario = played(policy, 1000, "a");
    List<SegmentMetrics> metrics = scenario.log.metrics;
    assertFalse(
        metrics.get(metrics.size() - 2).fairness().overlapAlarm(), "before 1,000 decisions");
    assertTrue(last(scenario).fairness().overlapAlarm(), policy);
    assertTrue(
        last(scenario).fairness().noOverlapShare() > 0.9,
        "share " + last(scenario).fairness().noOverlapShare());
    assertEquals(1000, last(scenario).rounds());
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ofulog", "linucb", "ucb"})
  void whereEveryValueIsSeenTheAlarmFallsSilent(String policy) {
    Scenario scenario = played(policy, 1000, "a", "b");
    assertFalse(last(scenario).fairness().overlapAlarm(), policy);
    assertTrue(
        last(scenario).fairness().noOverlapShare() < 0.1,
        "share " + last(scenario).fairness().noOverlapShare());
  }

  @Test
  void theArmThatWasLeftCountsWhereItsEffectIsUnknown() {
    Scenario scenario = played("linucb, constraint: hard", 1000, "a");
    FairnessAudit audit = scenario.log.audits.get(999);
    ExcludedCandidate excluded = Objects.requireNonNull(audit.excluded());
    assertEquals(AuditVerdict.NO_OVERLAP, excluded.verdict());
    assertTrue(last(scenario).fairness().overlapAlarm());
    double low = Objects.requireNonNull(excluded.lower());
    double high = Objects.requireNonNull(excluded.upper());
    double estimate = Objects.requireNonNull(excluded.estimate());
    double tau = audit.threshold();
    assertTrue(low <= estimate && estimate <= high, low + " " + estimate + " " + high);
    assertTrue(Math.max(-low, high) > tau, "else it had been certified, and taken");
    assertTrue(low <= tau && high >= -tau, "else it were unfair, not uncovered");
  }

  /** Caution leaves what might pay more than what it takes, and the record says how much. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "screen, slack: 0",
        "dual-upper",
        "linucb, constraint: hard",
        "linucb, constraint: screen",
        "f-ucb",
        "ucb, constraint: screen",
        "ucb-pcb, constraint: screen, causal-bounds: {name: none, on-refutation: ignore, delta:"
            + " 0.1}"
      })
  void theAuditSaysWhatTheArmThatWasLeftMightHavePaid(String policy) {
    Scenario scenario = played(policy, 300, "a");
    Map<Long, Decision> decisions = new HashMap<>();
    scenario.log.decisions.forEach(decision -> decisions.put(decision.seq(), decision));
    int left = 0;
    int untried = 0;
    for (FairnessAudit audit : scenario.log.audits) {
      if (audit.excluded() != null) {
        Decision decision = Objects.requireNonNull(decisions.get(audit.seq()));
        double taken = Objects.requireNonNull(decision.index());
        double might = Objects.requireNonNull(audit.excluded().reward());
        boolean isUntried = policy.startsWith("ucb") && might == 1;
        assertTrue(
            isUntried || might > taken, audit.decisionId() + ": " + might + " left for " + taken);
        double bonus = Math.sqrt(2 * PerRoundConfidence.logTerm(decision.seq() + 1));
        assertTrue(
            !policy.startsWith("ucb") || might <= 1 + bonus, audit.decisionId() + ": " + might);
        untried += isUntried ? 1 : 0;
        left++;
      }
    }
    assertTrue(left > 10, policy + " left " + left);
    assertTrue(!policy.startsWith("ucb") || untried > 0, policy + " leaves none untried");
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linucb, constraint: hard, explore: {share: 0.4, over: all}",
        "f-ucb, explore: {share: 0.4, over: all}",
        "dual-upper, explore: {share: 0.4, over: all}"
      })
  void anArmThatADrawFromAllPutInPlaceLeavesNoneForItsEffect(String policy) {
    Scenario scenario = played(policy, 300, "a");
    int explored = 0;
    int left = 0;
    for (FairnessAudit audit : scenario.log.audits) {
      ExcludedCandidate excluded = audit.excluded();
      assertNotEquals(audit.arm(), excluded == null ? null : excluded.arm(), audit.decisionId());
      if (audit.explored()) {
        assertNull(excluded, audit.decisionId());
      }
      explored += audit.explored() ? 1 : 0;
      left += excluded == null ? 0 : 1;
    }
    assertTrue(explored > 20, policy + " explored " + explored);
    assertTrue(left > 5, policy + " left " + left);
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ofulog", "linucb", "ucb"})
  void timesTheRewardsTheLeverageLevelsOffOnlyWhereTheTrafficCovers(String policy) {
    double early = 0;
    for (int rounds : new int[] {250, 1000}) {
      double covered = leverage(played(policy, rounds, "a", "b"), rounds);
      assertTrue(early == 0 || covered < 3 * early, early + ", then " + covered);
      early = covered;
    }
    FairnessAudit one = uncovered(policy, 250);
    FairnessAudit later = uncovered(policy, 1000);
    if (policy.equals("ucb")) {
      assertNull(later.effect().leverage(), "a cell that nobody ever was in");
    } else {
      double atFirst = Objects.requireNonNull(one.effect().leverage());
      double atLast = Objects.requireNonNull(later.effect().leverage());
      assertTrue(1000 * atLast > 3 * 250 * atFirst, atFirst + ", then " + atLast);
    }
  }

  private static FairnessAudit uncovered(String policy, int rounds) {
    List<FairnessAudit> audits = played(policy, rounds, "a").log.audits;
    return audits.get(audits.size() - 1);
  }

  private static double leverage(Scenario scenario, int rounds) {
    List<FairnessAudit> audits = scenario.log.audits;
    FairnessAudit audit = audits.get(audits.size() - 1);
    return rounds * Objects.requireNonNull(audit.effect().leverage());
  }

  @Test
  void auditsAndMetricsCarryTheRunningViolationsByAllDefinitions() {
    Scenario scenario = played("linucb", 40, "a", "b");
    double stageWise = 0;
    double upper = 0;
    double signed = 0;
    for (FairnessAudit audit : scenario.log.audits) {
      double estimate = Math.abs(Objects.requireNonNull(audit.effect().estimate()));
      double tau = audit.threshold();
      double high =
          Math.max(
              -Objects.requireNonNull(audit.effect().lower()),
              Objects.requireNonNull(audit.effect().upper()));
      stageWise += Math.max(0, estimate - tau);
      upper += Math.max(0, high - tau);
      signed += estimate - tau;
      assertEquals(new CumulativeViolation(stageWise, upper, signed), audit.cumulativeViolation());
      assertNull(audit.excluded());
    }
    assertEquals(
        new CumulativeViolation(stageWise, upper, signed),
        last(scenario).fairness().cumulativeViolation());
    assertTrue(upper > 0 && signed < upper);
  }
}
