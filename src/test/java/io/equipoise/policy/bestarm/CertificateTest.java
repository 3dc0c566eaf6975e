package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.bounds.ClopperPearson;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.policy.bestarm.ExperimentSteps.PhaseEnd;
import io.equipoise.policy.bestarm.TerminalRecord.BestFairArm;
import io.equipoise.policy.bestarm.TerminalRecord.NoFairArm;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How often answers are wrong in worlds whose threshold is just below some arm's effect. */
@Tag("slow")
class CertificateTest {
  private static final Mode[] MODES = Mode.values();

  private int found;
  private int foundUnfair;
  private int certified;
  private int falselyCertified;

  /** Counts an answer, and whether it is wrong though it is called certified or proved. */
  private void count(TrialWorld world, TerminalRecord end) {
    if (end instanceof BestFairArm best) {
      boolean isFair = world.isFair(best.finding().arm());
      found++;
      foundUnfair += isFair ? 0 : 1;
      count(best.guarantee(), best.margin() > 0, isFair);
    } else if (end instanceof NoFairArm none) {
      count(none.guarantee(), none.isProved(), !world.isAnyFair());
    }
  }

  private void count(AuditGuarantee auditGuarantee, boolean isCalledCertified, boolean isRight) {
    assertEquals(isCalledCertified ? AuditGuarantee.ANYTIME : AuditGuarantee.NONE, auditGuarantee);
    if (isCalledCertified) {
      certified++;
      falselyCertified += isRight ? 0 : 1;
    }
  }

  /** In CI few are certified, so delta is what no false one of so few can show. */
  @ParameterizedTest
  @CsvSource({
    "COUNTERFACTUAL, 4000, .08, .15, .1, 120, 3000",
    "DIRECT, 10000, .2, .03, .25, 70, 3000"
  })
  void ofCertifiedAnswersAtMostDeltaAreFalse(
      FairnessEstimate estimate,
      int samples,
      double effect,
      double below,
      double delta,
      int ci,
      int full) {
    int runs = Tier.count(ci, full);
    for (int i = 0; i < runs; i++) {
      TrialWorld world = new TrialWorld(new SplittableRandom(4000 + i), effect, below);
      List<PhaseEnd> ends =
          world.search(Algorithm.CSR_V2, MODES[i % MODES.length], estimate, samples, delta);
      count(world, ends.get(ends.size() - 1).end());
    }
    double upper = ClopperPearson.upper(falselyCertified, certified, .05);
    Tier.found(
        CertificateTest.class,
        estimate.wire() + " at delta " + delta,
        falselyCertified + " of " + certified + " certified answers false, at most " + upper);
    assertTrue(
        upper <= delta, falselyCertified + " of " + certified + " certified answers are false");
    assertTrue(foundUnfair > 0, "the paper's band alone errs here: " + found + " found");
  }

  /** One delta covers every arm in every phase, dropped arms and forgotten phases too. */
  @ParameterizedTest
  @EnumSource(FairnessEstimate.class)
  void noIntervalOfAnyArmInAnyPhaseMissesInMoreThanDeltaOfTheRuns(FairnessEstimate estimate) {
    double delta = .5;
    int runs = Tier.count(40, 2000);
    int missed = 0;
    for (int i = 0; i < runs; i++) {
      TrialWorld world = new TrialWorld(new SplittableRandom(7000 + i), .05, .15);
      Algorithm algorithm = i % 2 == 0 ? Algorithm.CSR_V2 : Algorithm.CSR_V1;
      boolean isMissed = false;
      for (PhaseEnd end : world.search(algorithm, MODES[i % 3], estimate, 1000, delta)) {
        for (ArmFinding arm : end.phase().arms()) {
          double effect = world.effect(arm.arm());
          isMissed |= effect < arm.effectLower() || effect > arm.effectUpper();
        }
      }
      missed += isMissed ? 1 : 0;
    }
    double upper = ClopperPearson.upper(missed, runs, .05);
    Tier.found(CertificateTest.class, estimate.wire() + " misses at delta " + delta, missed);
    assertTrue(upper <= delta, missed + " of " + runs + " runs had an interval that missed");
  }
}
