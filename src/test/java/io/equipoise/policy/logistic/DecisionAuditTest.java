package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.lab.cclb.CounterfactualFeatures;
import io.equipoise.policy.logistic.LogisticRequest.Alternative;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DecisionAuditTest {
  private static final double[] E1 = {1, 0, 0};
  private static final double[] E2 = {0, 1, 0};
  private static final double[] E3 = {0, 0, 1};
  private static final LogisticRule POLICY =
      new LogisticRule(PolicyParameters.defaults(LogisticPolicyName.SCREEN, .05, List.of(.2)));

  /** The first has an effect along a direction that is never seen, the second none. */
  private static final LogisticRequest RISKY_OR_SAFE =
      new LogisticRequest(
          List.of(
              CounterfactualFeatures.candidate(E1, new double[][][] {{E2}}),
              CounterfactualFeatures.candidate(E3, new double[][][] {{E3}})),
          List.of(List.of(new Alternative(0, 0, 1, true))),
          List.of());

  private static LogisticState after(int rewards, double ofFirst, double ofThird) {
    LogisticState state = POLICY.start(new StreamingModel(new LogisticScale(3, 5)));
    for (int i = 0; i < rewards; i++) {
      state.model().learn(E1, i % 10 < 10 * ofFirst ? 1 : 0);
      state.model().learn(E3, i % 10 < 10 * ofThird ? 1 : 0);
      if (i % 100 == 0) {
        POLICY.commit(state, RISKY_OR_SAFE, POLICY.choose(state, RISKY_OR_SAFE, 0));
      }
    }
    return state;
  }

  private static DecisionAudit audit(LogisticState state) {
    return POLICY.audit(state, RISKY_OR_SAFE, POLICY.choose(state, RISKY_OR_SAFE, 0));
  }

  @Test
  void anEffectAlongADirectionThatIsNeverSeenHasNoOverlapAndExcluded() {
    LogisticState state = after(20_000, .8, .3);
    DecisionAudit audit = audit(state);
    assertEquals(AuditVerdict.CERTIFIED_FAIR, audit.verdict());
    DecisionAudit.Excluded excluded = Objects.requireNonNull(audit.excluded());
    assertEquals(0, excluded.candidate());
    assertEquals(AuditVerdict.NO_OVERLAP, excluded.verdict());
    assertTrue(excluded.low() <= .2 && excluded.high() > .2);
    assertEquals(excluded.high(), excluded.findings().get(0).effect().worst());
    assertTrue(audit.hasNoOverlap());
    assertTrue(excluded.optimistic() > state.model().estimate().mean(E3));
  }

  @Test
  void nothingIsExcludedWhereTheBestPaidIsChosen() {
    DecisionAudit audit = audit(after(20_000, .2, .9));
    assertEquals(AuditVerdict.CERTIFIED_FAIR, audit.verdict());
    assertNull(audit.excluded());
    assertEquals(-.2, audit.excess(), 1e-12);
  }

  @Test
  void oncePlayedTheDirectionIsDecided() {
    LogisticState state = after(20_000, .8, .3);
    for (int i = 0; i < 20_000; i++) {
      state.model().learn(E2, i % 10 < 2 ? 1 : 0);
    }
    DecisionAudit audit = audit(state);
    assertNull(audit.excluded());
    assertEquals(AuditVerdict.CERTIFIED_FAIR, audit.verdict());
    LogisticRequest onlyRisky =
        new LogisticRequest(
            RISKY_OR_SAFE.candidates().subList(0, 1), RISKY_OR_SAFE.alternatives(), List.of());
    DecisionAudit unfair = POLICY.audit(state, onlyRisky, POLICY.choose(state, onlyRisky, 0));
    assertEquals(AuditVerdict.UNFAIR, unfair.verdict());
    assertEquals(.6 - .2, unfair.excess(), .02);
    assertTrue(unfair.upperExcess() > unfair.excess());
  }

  @Test
  void anEffectIsCounterfactualMinusFactualAndDirectAndMeasured() {
    LogisticState state = after(5000, .8, .3);
    for (int i = 0; i < 5000; i++) {
      state.model().learn(E2, i % 10 < 2 ? 1 : 0);
    }
    LogisticRequest onlyRisky =
        new LogisticRequest(
            RISKY_OR_SAFE.candidates().subList(0, 1), RISKY_OR_SAFE.alternatives(), List.of());
    DecisionAudit audit = POLICY.audit(state, onlyRisky, POLICY.choose(state, onlyRisky, 0));
    AuditFinding finding = audit.findings().get(0);
    EffectFinding auditEffect = finding.effect();
    assertEquals(-.6, auditEffect.estimate(), .03);
    assertTrue(
        auditEffect.lower() < auditEffect.estimate()
            && auditEffect.estimate() < auditEffect.upper());
    assertEquals(AuditEffectKind.DIRECT, auditEffect.kind());
    assertEquals(AuditGuarantee.APPROXIMATE, finding.guarantee());
    assertNotNull(audit.overlap().get(0));
    assertEquals(auditEffect.unsupportedShare(), audit.overlap().get(0).unsupportedShare());
    double variance = .8 * .2 / 5000 + .2 * .8 / 5000;
    assertEquals(variance, Objects.requireNonNull(auditEffect.leverage()), .05 * variance);
  }

  private static LogisticRule withRadius(ConfidenceRadius radius) {
    PolicyParameters shipped = POLICY.parameters;
    return new LogisticRule(
        new PolicyParameters(
            shipped.name(),
            shipped.effects(),
            shipped.limits(),
            radius,
            shipped.width(),
            shipped.rho(),
            shipped.schedule(),
            shipped.effectAt(),
            shipped.screenWidth(),
            shipped.exploration()));
  }

  @Test
  void theAuditDoesNotHeedThePolicysRadius() {
    LogisticState state = after(3000, .8, .3);
    LogisticRule tuned = withRadius(new ConfidenceRadius(RadiusKind.LAPLACE, .05, .01));
    LogisticRule wide = withRadius(new ConfidenceRadius(RadiusKind.LEE24, .05, 1));
    LogisticChoice choice = POLICY.choose(state, RISKY_OR_SAFE, 0);
    DecisionAudit audit = POLICY.audit(state, RISKY_OR_SAFE, choice);
    assertEquals(audit, tuned.audit(state, RISKY_OR_SAFE, choice));
    assertEquals(audit, wide.audit(state, RISKY_OR_SAFE, choice));
  }
}
