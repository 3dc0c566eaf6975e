package io.equipoise.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final double TAU = 0.3;
  private static final double ABOVE = Math.nextUp(TAU);

  private static Verdict verdict(
      double estimate, double lower, double upper, double unsupportedShare) {
    return Verdict.of(
        new AuditEffect(
            0,
            0,
            1,
            EffectKind.TOTAL,
            EffectIdentification.IDENTIFIED,
            estimate,
            lower,
            upper,
            unsupportedShare,
            null),
        TAU);
  }

  @Test
  void anIntervalThatEndsAtTheThresholdIsCertifiedFair() {
    assertEquals(Verdict.CERTIFIED_FAIR, verdict(0, -TAU, TAU, 0));
    assertEquals(Verdict.CERTIFIED_FAIR, verdict(0, -TAU, TAU, 1));
    assertEquals(Verdict.CERTIFIED_FAIR, verdict(TAU, TAU, TAU, 0));
    assertEquals(Verdict.FAIR, verdict(0, -TAU, ABOVE, 0));
    assertEquals(Verdict.FAIR, verdict(0, -ABOVE, TAU, 0));
  }

  @Test
  void anIntervalBeyondTheThresholdOnOneSideIsUnfair() {
    assertEquals(Verdict.UNFAIR, verdict(.4, ABOVE, .5, 0));
    assertEquals(Verdict.UNFAIR, verdict(-.4, -.5, -ABOVE, 1));
    assertEquals(Verdict.UNCERTAIN, verdict(.4, TAU, .5, 0));
    assertEquals(Verdict.UNCERTAIN, verdict(-.4, -.5, -TAU, 0));
  }

  @Test
  void halfOfTheUncertaintyFromNoDataHasNoOverlap() {
    assertEquals(Verdict.NO_OVERLAP, verdict(0, -.5, .5, .5));
    assertEquals(Verdict.NO_OVERLAP, verdict(.4, -.5, .5, 1));
    assertEquals(Verdict.FAIR, verdict(0, -.5, .5, Math.nextDown(.5)));
  }

  @Test
  void anEstimateAtTheThresholdIsFairAndBeyondItUncertain() {
    assertEquals(Verdict.FAIR, verdict(TAU, -.5, .5, .2));
    assertEquals(Verdict.FAIR, verdict(-TAU, -.5, .5, .2));
    assertEquals(Verdict.UNCERTAIN, verdict(ABOVE, -.5, .5, .2));
    assertEquals(Verdict.UNCERTAIN, verdict(-ABOVE, -.5, .5, .2));
  }

  @Test
  void anEffectWithoutAnIntervalCannotBe() {
    assertThrows(IllegalArgumentException.class, () -> verdict(0, .1, -.1, 0));
    assertThrows(IllegalArgumentException.class, () -> verdict(0, Double.NaN, .1, 0));
    assertThrows(IllegalArgumentException.class, () -> verdict(0, -.1, .1, 1.5));
  }
}
