package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.AssumptionKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditInterval;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.linear.ContrastBlock;
import io.equipoise.segment.replay.ReplayOracle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Intervals of single effects in a segment: what its log says of them, and that it replays. */
@Tag("slow")
class ContrastSegmentTest {
  private static final String FEATURES =
      "features: [intercept, one-hot: X, one-hot: S, one-hot: A], constraint: hard, model: shared,"
          + " explore: {share: 0.2, over: all}";

  private final SplittableRandom random = new SplittableRandom(3);
  private int decisions;

  private static Scenario under(String policy) {
    return Scenario.under(SpecVariant.of(policy).text());
  }

  /** Plays people of both values of S in turn, whose rewards differ by an effect. */
  private void play(Scenario scenario, int rounds, double effect) {
    for (int i = 0; i < rounds; i++) {
      int t = decisions++;
      int side = t % 2;
      double p = .5 + effect * (side - .5);
      scenario.context(
          "d" + t, t, Map.of("S", side == 0 ? "a" : "b", "X", t % 3 == 0 ? "low" : "high"));
      scenario.reward("d" + t, "r", t + 0.5, random.nextDouble() < p ? 1 : 0, Map.of("M", "0"));
    }
  }

  private static FairnessAudit last(Scenario scenario) {
    return scenario.log.audits.get(scenario.log.audits.size() - 1);
  }

  private static List<ContrastBlock> contrasts(Scenario scenario) {
    List<ContrastBlock> found = new ArrayList<>();
    for (Map.Entry<Long, StateBlock> entry : scenario.state.blocks().entries()) {
      if (entry.getValue() instanceof ContrastBlock block) {
        found.add(block);
      }
    }
    return found;
  }

  @Test
  void anAuditTellsHowItsIntervalWasMadeAndReplays() {
    String ofEachArm = FEATURES.replace("]", ", product: [{one-hot: S}, {one-hot: A}]]");
    Scenario scenario = under("linucb, " + ofEachArm);
    play(scenario, 400, 0);
    AuditedEffect first = scenario.log.audits.get(0).effect();
    assertEquals(AuditInterval.ELLIPSOID, first.interval(), "before any reward");
    assertNull(first.information());
    assertNull(first.imbalance());
    FairnessAudit audit = last(scenario);
    assertEquals(AuditGuarantee.ANYTIME, audit.guarantee());
    assertEquals(AuditInterval.CONTRAST, audit.effect().interval());
    assertTrue(Objects.requireNonNull(audit.effect().information()) > 50);
    assertTrue(Objects.requireNonNull(audit.effect().imbalance()) < .1);
    assertEquals(1, contrasts(scenario).size());
    assertEquals(2, contrasts(scenario).get(0).size(), "an effect of S for each arm");
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  @Test
  void intervalsThatExcludeEachOtherRefuteTheModelInTheLog() {
    Scenario scenario = under("linucb, " + FEATURES);
    play(scenario, 700, -.8);
    assertTrue(scenario.log.segmentEvents.stream().allMatch(ContrastSegmentTest::isNotOfModel));
    play(scenario, 900, .9);
    SegmentEvent event =
        scenario.log.segmentEvents.stream()
            .filter(one -> !isNotOfModel(one))
            .findFirst()
            .orElseThrow();
    AssumptionAudit refuted = Objects.requireNonNull(event.assumption());
    assertNotNull(refuted.remedy());
    FairnessAudit audit = last(scenario);
    assertEquals(AuditGuarantee.NONE, audit.guarantee());
    assertEquals(-1, audit.effect().lower());
    assertEquals(1, audit.effect().upper());
    assertFalse(audit.certified());
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  private static boolean isNotOfModel(SegmentEvent event) {
    return event.type() != SegmentEventType.ASSUMPTION_REFUTED
        || Objects.requireNonNull(event.assumption()).kind() != AssumptionKind.MODEL;
  }

  @Test
  void aModelThatForgetsHasTheEllipsoidAlone() {
    Scenario scenario = under("linucb, forget: {discount: 0.999}, " + FEATURES);
    play(scenario, 100, 0);
    assertEquals(AuditInterval.ELLIPSOID, last(scenario).effect().interval());
    assertEquals(AuditGuarantee.APPROXIMATE, last(scenario).guarantee());
    assertEquals(List.of(), contrasts(scenario));
  }

  @Test
  void aSpecMayAskForTheEllipsoidAndGoBack() {
    Scenario scenario = new Scenario();
    SpecVariant spec = SpecVariant.of("linucb, " + FEATURES);
    String ellipsoid = "tau: 0.2, delta: 0.05, certificates: {interval: ellipsoid}";
    scenario.book.publish(spec.fairness(ellipsoid).text());
    play(scenario, 200, 0);
    assertEquals(List.of(), contrasts(scenario));
    assertEquals(AuditInterval.ELLIPSOID, last(scenario).effect().interval());
    scenario.book.publish(spec.version(2).fairness("tau: 0.2, delta: 0.05").text());
    play(scenario, 200, 0);
    assertEquals(AuditInterval.CONTRAST, last(scenario).effect().interval());
    double late = Objects.requireNonNull(last(scenario).effect().information());
    assertTrue(late < 230 / 4.0 * 1.2, "it knows of the later half only: " + late);
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }
}
