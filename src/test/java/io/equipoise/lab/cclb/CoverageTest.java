package io.equipoise.lab.cclb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.lab.cclb.CclbSetting.Estimator;
import io.equipoise.lab.cclb.Totals.Measure;
import io.equipoise.policy.logistic.LogisticPolicyName;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What factual rewards cannot tell, and that the audit says so. */
class CoverageTest {
  private static final boolean IS_FULL = Tier.isFull();
  private static final int ROUNDS = IS_FULL ? 10_000 : 1200;

  private Totals last(CclbSetting cclbSetting, long seed) {
    CclbInstance cclbInstance = Scm.instance(cclbSetting.instance(), cclbSetting.tau());
    List<Totals> totals = CclbTrial.run(cclbSetting, cclbInstance, Scm.ALPHA, seed);
    return totals.get(totals.size() - 1);
  }

  private Totals audited(LogisticPolicyName policy, String instance, long seed) {
    return last(
        CclbSetting.of(Figures.COVERAGE, policy, Estimator.STREAMING, .2, ROUNDS)
            .auditedOn(instance),
        seed);
  }

  @ParameterizedTest
  @EnumSource
  void trafficWithoutVariationIsNeverCertifiedWronglyAndUndecidedMeansNoOverlap(
      LogisticPolicyName policy) {
    Totals totals = audited(policy, Scm.HOMOGENEOUS, 1);
    assertEquals(0, totals.get(Measure.WRONG), policy.wire());
    assertEquals(0, totals.get(Measure.UNCERTAIN), policy.wire());
    assertEquals(0, totals.get(Measure.FAIR), policy.wire());
    assertTrue(totals.get(Measure.NO_OVERLAP) > ROUNDS / 2.0, policy + ": " + totals);
    assertTrue(totals.get(Measure.ALARMS) > 0, policy.wire());
  }

  @ParameterizedTest
  @EnumSource(names = {"CCLB", "DUAL_UPPER", "SCREEN", "FORCED_EXPLORATION"})
  void environmentsThatNoDataTellApartAreAuditedAlike(LogisticPolicyName policy) {
    Totals fair = audited(policy, Scm.NO_PROBE + "-P", 2);
    Totals unfair = audited(policy, Scm.NO_PROBE + "-Q", 2);
    for (AuditVerdict verdict : AuditVerdict.values()) {
      Measure measure = Measure.valueOf(verdict.name());
      assertEquals(fair.get(measure), unfair.get(measure), policy.wire());
    }
    assertEquals(fair.get(Measure.EXCLUDED), unfair.get(Measure.EXCLUDED), policy.wire());
    assertEquals(0, unfair.get(Measure.FAIR) + unfair.get(Measure.UNCERTAIN));
    double told = unfair.get(Measure.NO_OVERLAP) + unfair.get(Measure.EXCLUDED);
    assertTrue(told > ROUNDS / 4.0, policy + ": " + unfair);
  }

  /**
   * Without its guard forced-exploration trusts the delta method, which is blind where g is flat.
   */
  @Test
  void screenAndCxStayFairWhereNobodyShowsTheEffect() {
    for (LogisticPolicyName policy :
        List.of(LogisticPolicyName.SCREEN, LogisticPolicyName.FORCED_EXPLORATION)) {
      Totals totals = audited(policy, Scm.HOMOGENEOUS, 1);
      assertTrue(totals.get(Measure.VIOLATIONS) < ROUNDS / 50.0, policy + ": " + totals);
    }
    Totals cclb = audited(LogisticPolicyName.CCLB, Scm.HOMOGENEOUS, 1);
    assertTrue(cclb.get(Measure.VIOLATIONS) > ROUNDS / 2.0, cclb::toString);
  }

  @Test
  void whereOverlapHoldsTheScreenRarelyLacksOverlap() {
    Totals totals = audited(LogisticPolicyName.SCREEN, Scm.BASE, 1);
    assertEquals(0, totals.get(Measure.WRONG));
    assertTrue(totals.get(Measure.NO_OVERLAP) < 200, totals::toString);
  }

  @Tag("full")
  @Test
  void theViolationsOfCxStopGrowingWhereThoseOfCclbGoOn() {
    int once = 10_000;
    int seeds = 5;
    double cx = growth(LogisticPolicyName.FORCED_EXPLORATION, once, seeds);
    double cclb = growth(LogisticPolicyName.CCLB, once, seeds);
    assertTrue(cx < 3, "forced-exploration grows " + cx);
    assertTrue(cclb > 4, "cclb grows " + cclb);
  }

  private double growth(LogisticPolicyName policy, int once, int seeds) {
    CclbSetting shorter =
        CclbSetting.of(Figures.COVERAGE, policy, Estimator.STREAMING, .2, once)
            .auditedOn(Scm.NON_COVERED + "-Q")
            .longer(1);
    double atOnce = 0;
    double longer = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      atOnce += last(shorter, seed).get(Measure.VIOLATION);
      longer += last(shorter.longer(Figures.LONGER), seed).get(Measure.VIOLATION);
    }
    return longer / atOnce;
  }
}
