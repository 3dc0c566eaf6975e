package io.equipoise.fairness;

import java.util.List;

/** One audited effect of a decision: for one sensitive attribute and one pair of its values. */
public record AuditFinding(AuditEffect effect, double tau, Verdict verdict, Guarantee guarantee) {
  /** Computes the verdict on an effect at tau. */
  public static AuditFinding of(AuditEffect auditEffect, double tau, Guarantee guarantee) {
    return new AuditFinding(auditEffect, tau, Verdict.of(auditEffect, tau), guarantee);
  }

  /** Returns the gravest verdict; CERTIFIED_FAIR if there are no findings. */
  public static Verdict gravest(List<AuditFinding> findings) {
    Verdict gravest = Verdict.CERTIFIED_FAIR;
    for (AuditFinding finding : findings) {
      if (gravity(finding.verdict()) > gravity(gravest)) {
        gravest = finding.verdict();
      }
    }
    return gravest;
  }

  private static int gravity(Verdict verdict) {
    return switch (verdict) {
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
