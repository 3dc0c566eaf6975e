package io.equipoise.fairness;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import java.util.List;

/**
 * Describes one audited effect of a decision: for one sensitive attribute and one pair of its
 * values.
 */
public record AuditFinding(
    EffectFinding effect, double tau, AuditVerdict verdict, AuditGuarantee guarantee) {
  /** Computes the verdict on an effect at tau. */
  public static AuditFinding of(
      EffectFinding auditEffect, double tau, AuditGuarantee auditGuarantee) {
    return new AuditFinding(auditEffect, tau, auditEffect.verdict(tau), auditGuarantee);
  }

  /** Computes the verdict on an effect whose interval rests on the range of rewards alone. */
  public static AuditFinding ofRange(
      EffectFinding effect, double tau, AuditGuarantee auditGuarantee) {
    return new AuditFinding(effect, tau, effect.verdict(tau, false), auditGuarantee);
  }

  /** Returns the gravest verdict; CERTIFIED_FAIR if there are no findings. */
  public static AuditVerdict gravest(List<AuditFinding> findings) {
    AuditVerdict gravest = AuditVerdict.CERTIFIED_FAIR;
    for (AuditFinding finding : findings) {
      if (gravity(finding.verdict()) > gravity(gravest)) {
        gravest = finding.verdict();
      }
    }
    return gravest;
  }

  private static int gravity(AuditVerdict auditVerdict) {
    return switch (auditVerdict) {
      case CERTIFIED_FAIR -> 0;
      case FAIR -> 1;
      case UNCERTAIN -> 2;
      case NO_OVERLAP -> 3;
      case NOT_IDENTIFIED -> 4;
      case UNFAIR -> 5;
    };
  }

  /**
   * Returns the largest excess of an effect's estimated size over its threshold, negative within
   * it; negative infinity without findings.
   */
  public static double excess(List<AuditFinding> findings) {
    double gravest = Double.NEGATIVE_INFINITY;
    for (AuditFinding finding : findings) {
      gravest = Math.max(gravest, Math.abs(finding.effect().estimate()) - finding.tau());
    }
    return gravest;
  }

  /** Returns the largest excess of an effect's upper end over its threshold, likewise. */
  public static double upperExcess(List<AuditFinding> findings) {
    double gravest = Double.NEGATIVE_INFINITY;
    for (AuditFinding finding : findings) {
      gravest = Math.max(gravest, finding.effect().worst() - finding.tau());
    }
    return gravest;
  }

  /** Returns by how much the estimate exceeds the threshold; 0 within it. */
  public double violation() {
    return Math.max(0, Math.abs(effect.estimate()) - tau);
  }
}
