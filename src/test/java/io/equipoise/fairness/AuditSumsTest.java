package io.equipoise.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.layout.StoredBytes;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditSumsTest {
  private static AuditFinding finding(double estimate, double tau) {
    EffectFinding auditEffect =
        new EffectFinding(
            0,
            0,
            1,
            AuditEffectKind.TOTAL,
            EffectIdentification.IDENTIFIED,
            estimate,
            -1,
            1,
            0,
            null);
    return AuditFinding.of(auditEffect, tau, AuditGuarantee.ANYTIME);
  }

  private static AuditSums someSums() {
    AuditSums sums = new AuditSums(3, 2);
    sums.decided(List.of(finding(.5, .3), finding(-.7, .3), finding(.1, .3)), false, true, null);
    sums.decided(List.of(finding(.3, .3)), true, false, null);
    sums.rewarded(new int[] {2, 0}, .5);
    sums.rewarded(new int[] {2, 1}, 1);
    return sums;
  }

  @Test
  void theWorstPairOfADecisionCountsAsItsViolation() {
    AuditSums sums = someSums();
    assertEquals(2, sums.decisions());
    assertEquals(1, sums.violations());
    assertEquals(.4, sums.excesses().stageWise(), 1e-15);
    assertEquals(1, sums.certified());
    assertEquals(1, sums.fallbacks());
    assertEquals(2, sums.findings(AuditVerdict.FAIR));
    assertEquals(2, sums.findings(AuditVerdict.UNCERTAIN));
  }

  @Test
  void rewardsAreAveragedPerLevelOfEverySensitiveAttribute() {
    AuditSums sums = someSums();
    assertEquals(2, sums.groupRewards(0, 2));
    assertEquals(.75, sums.groupMean(0, 2));
    assertEquals(.5, sums.groupMean(1, 0));
    assertEquals(1, sums.groupMean(1, 1));
    assertEquals(0, sums.groupRewards(0, 0));
    assertThrows(
        IllegalArgumentException.class, () -> sums.rewarded(new int[] {0, 2}, 1)); // no such level
  }

  @Test
  void aCopySharesNothing() {
    AuditSums sums = someSums();
    AuditSums copy = sums.copy();
    assertEquals(sums, copy);
    copy.rewarded(new int[] {0, 0}, 1);
    assertNotEquals(sums, copy);
    assertEquals(0, sums.groupRewards(0, 0));
  }

  @Test
  void moreGroupsLeaveTheOldOnesWhatTheyAre() {
    AuditSums sums = new AuditSums(2, 2);
    sums.decided(List.of(), true, true, null);
    sums.rewarded(new int[] {0, 1}, 0.25);
    sums.rewarded(new int[] {1, 1}, 0.75);
    AuditSums more = sums.regrouped(new int[] {3, 2}, new int[][] {{2, 0}, {0, 1}});
    assertEquals(1, more.decisions());
    assertEquals(1, more.certified());
    assertEquals(1, more.fallbacks());
    assertEquals(0.25, more.groupMean(0, 2));
    assertEquals(0.75, more.groupMean(0, 0));
    assertEquals(0, more.groupRewards(0, 1));
    assertEquals(2, more.groupRewards(1, 1));
    assertEquals(0.5, more.groupMean(1, 1));
  }

  @Test
  void theBytesAreReadBackAndTheirLengthIsKnown() {
    AuditSums sums = someSums();
    ByteBuffer bytes = StoredBytes.of(sums);
    assertEquals(0, bytes.remaining());
    assertEquals(sums, StoredBytes.read(new AuditSums(), bytes.flip()));
  }

  @Test
  void violationsAreKeptByAllDefinitions() {
    ViolationSums sums = someSums().excesses();
    assertEquals(2, sums.decisions());
    assertEquals(.4, sums.stageWise(), 1e-15);
    assertEquals(1.4, sums.stageWiseUpper(), 1e-15);
    assertEquals(.4, sums.signed(), 1e-15);
    AuditSums fair = new AuditSums(3, 2);
    List<AuditFinding> findings = List.of(finding(.1, .3));
    ViolationSums expected = fair.after(findings);
    fair.decided(findings, false, false, null);
    assertEquals(expected, fair.excesses());
    assertEquals(-.2, fair.excesses().signed(), 1e-15);
    assertEquals(0, fair.excesses().stageWise());
  }

  @Test
  void theAlarmCountsWhatWasLeftToo() {
    AuditSums sums = new AuditSums(2);
    EffectFinding unknown =
        new EffectFinding(
            0, 0, 1, AuditEffectKind.DIRECT, EffectIdentification.IDENTIFIED, 0, -1, 1, 1, null);
    AuditFinding withoutOverlap = AuditFinding.of(unknown, .3, AuditGuarantee.ANYTIME);
    for (int i = 0; i < 1000; i++) {
      List<AuditFinding> findings = i < 60 ? List.of(finding(.1, .3), withoutOverlap) : List.of();
      sums.decided(findings, true, false, i >= 900 ? AuditVerdict.NO_OVERLAP : AuditVerdict.UNFAIR);
    }
    assertEquals(.16, sums.alarm().share());
    assertTrue(sums.alarm().rings());
  }

  @Test
  void anImpossibleLengthIsRefusedBeforeAllocation() {
    ByteBuffer bytes = ByteBuffer.allocate(9).put((byte) 1).putInt(Integer.MAX_VALUE).putInt(1);
    assertThrows(
        IllegalArgumentException.class, () -> StoredBytes.read(new AuditSums(), bytes.flip()));
  }
}
