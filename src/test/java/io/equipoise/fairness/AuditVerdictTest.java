package io.equipoise.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditVerdict;
import org.junit.jupiter.api.Test;

class AuditVerdictTest {
  private static final double TAU = 0.3;
  private static final double ABOVE = Math.nextUp(TAU);

  private static AuditVerdict verdict(
      double estimate, double lower, double upper, double unsupportedShare) {
    return new EffectFinding(
            0,
            0,
            1,
            AuditEffectKind.TOTAL,
            EffectIdentification.IDENTIFIED,
            estimate,
            lower,
            upper,
            unsupportedShare,
            null)
        .verdict(TAU);
  }

  @Test
  void anIntervalThatEndsAtTheThresholdIsCertifiedFair() {
    assertEquals(AuditVerdict.CERTIFIED_FAIR, verdict(0, -TAU, TAU, 0));
    assertEquals(AuditVerdict.CERTIFIED_FAIR, verdict(0, -TAU, TAU, 1));
    assertEquals(AuditVerdict.CERTIFIED_FAIR, verdict(TAU, TAU, TAU, 0));
    assertEquals(AuditVerdict.FAIR, verdict(0, -TAU, ABOVE, 0));
    assertEquals(AuditVerdict.FAIR, verdict(0, -ABOVE, TAU, 0));
  }

  @Test
  void anIntervalBeyondTheThresholdOnOneSideIsUnfair() {
    assertEquals(AuditVerdict.UNFAIR, verdict(.4, ABOVE, .5, 0));
    assertEquals(AuditVerdict.UNFAIR, verdict(-.4, -.5, -ABOVE, 1));
    assertEquals(AuditVerdict.UNCERTAIN, verdict(.4, TAU, .5, 0));
    assertEquals(AuditVerdict.UNCERTAIN, verdict(-.4, -.5, -TAU, 0));
  }

  @Test
  void halfOfTheUncertaintyFromNoDataHasNoOverlap() {
    assertEquals(AuditVerdict.NO_OVERLAP, verdict(0, -.5, .5, .5));
    assertEquals(AuditVerdict.NO_OVERLAP, verdict(.4, -.5, .5, 1));
    assertEquals(AuditVerdict.FAIR, verdict(0, -.5, .5, Math.nextDown(.5)));
  }

  @Test
  void anEstimateAtTheThresholdIsFairAndBeyondItUncertain() {
    assertEquals(AuditVerdict.FAIR, verdict(TAU, -.5, .5, .2));
    assertEquals(AuditVerdict.FAIR, verdict(-TAU, -.5, .5, .2));
    assertEquals(AuditVerdict.UNCERTAIN, verdict(ABOVE, -.5, .5, .2));
    assertEquals(AuditVerdict.UNCERTAIN, verdict(-ABOVE, -.5, .5, .2));
  }

  @Test
  void anEffectWithoutAnIntervalCannotBe() {
    assertThrows(IllegalArgumentException.class, () -> verdict(0, .1, -.1, 0));
    assertThrows(IllegalArgumentException.class, () -> verdict(0, Double.NaN, .1, 0));
    assertThrows(IllegalArgumentException.class, () -> verdict(0, -.1, .1, 1.5));
  }
}
