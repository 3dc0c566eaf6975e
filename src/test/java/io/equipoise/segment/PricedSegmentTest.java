package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Policies over cells whose effects are priced or screened. */
class PricedSegmentTest {
  private static final int ROUNDS = 1500;

  private static String spec(String policy, int number) {
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
    return TestSpecs.text(policy, number, join, "{range: [0, 1]}", "reject");
  }

  /** Arm left pays 1 to people of S = a and 0.4 to others, arm right 0.6 to all. */
  private static Scenario played(String policy) {
    Scenario scenario = Scenario.under(spec(policy, 1));
    for (int i = 0; i < ROUNDS; i++) {
      boolean isA = i % 2 == 0;
      scenario.context("d" + i, i, Map.of("S", isA ? "a" : "b", "X", i % 3 == 0 ? "low" : "high"));
      Decision decision = scenario.log.decisions.get(i);
      double reward = "A=right".equals(decision.arm()) ? 0.6 : isA ? 1 : 0.4;
      scenario.reward("d" + i, i + 0.5, reward);
    }
    return scenario;
  }

  /** Returns what the last third of the decisions adds to the signed violations. */
  private static double signed(Scenario scenario) {
    List<FairnessAudit> audits = scenario.log.audits;
    return Objects.requireNonNull(audits.get(ROUNDS - 1).cumulativeViolation()).signed()
        - Objects.requireNonNull(audits.get(ROUNDS * 2 / 3 - 1).cumulativeViolation()).signed();
  }

  private static Scenario replayed(Scenario scenario) {
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
    return scenario;
  }

  @Test
  void aDualPenaltyHoldsTheThresholdInTheMeanWhereTheIndexAloneDoesNot() {
    Scenario plain = played("ucb");
    Scenario priced = replayed(played("ucb, constraint: dual"));
    assertTrue(signed(plain) > 20, "unpriced " + signed(plain));
    assertTrue(signed(priced) < 2, "priced " + signed(priced));
    List<FairnessAudit> audits = priced.log.audits;
    assertNull(plain.log.audits.get(0).dual());
    assertEquals(0.0, audits.get(0).dual());
    double greatest =
        audits.stream().mapToDouble(audit -> Objects.requireNonNull(audit.dual())).max().orElse(0);
    assertTrue(greatest > 0.5, "the price rose to " + greatest);
  }

  @Test
  void theUpperEndIsPricedHigherThanTheEstimate() {
    Scenario upper = replayed(played("ucb, constraint: dual-upper, ties: seeded"));
    double first = Objects.requireNonNull(upper.log.audits.get(1).dual());
    assertEquals(1 - 0.2, first, 1e-12, "an unknown effect may be as large as the range");
  }

  @Test
  void theScreenFallsBackUntilSomeArmMayPassAndNeverPaysMoreThanItsSlack() {
    Scenario screened = replayed(played("ucb, constraint: screen"));
    Decision first = screened.log.decisions.get(0);
    assertEquals("UNCERTIFIED", first.reason().name());
    assertEquals(0, first.fairSetSize());
    for (int i = 0; i < ROUNDS; i++) {
      Decision decision = screened.log.decisions.get(i);
      FairnessAudit audit = screened.log.audits.get(i);
      double high =
          Math.max(
              -Objects.requireNonNull(audit.effect().lower()),
              Objects.requireNonNull(audit.effect().upper()));
      double slack = 0.5 / StrictMath.cbrt(i + 1.0);
      boolean isFallback = Objects.requireNonNull(decision.fairSetSize()) == 0;
      assertTrue(isFallback || high <= 0.2 + slack, "decision " + i + ": " + high);
    }
  }

  @Test
  void thePriceStartsAnewWithAnotherThresholdAndTheCellsGoOn() {
    Scenario scenario = played("ucb, constraint: dual");
    scenario.book.publish(spec("ucb, constraint: dual", 2).replace("tau: 0.2", "tau: 0.3"));
    scenario.context("e1", ROUNDS, Map.of("S", "a", "X", "low"));
    SegmentEvent adopted =
        scenario.log.segmentEvents.stream()
            .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.SPEC_ADOPTED)
            .reduce((one, two) -> two)
            .orElseThrow();
    assertEquals(List.of("policy-state"), adopted.stateReset());
    FairnessAudit audit = scenario.log.audits.get(ROUNDS);
    assertEquals(0.0, audit.dual());
    assertTrue(Objects.requireNonNull(scenario.log.decisions.get(ROUNDS).mean()) > 0);
    replayed(scenario);
  }
}
