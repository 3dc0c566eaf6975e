package io.equipoise.fairness;

/** One audited effect of a decision: for one sensitive attribute and one pair of its values. */
public record AuditFinding(Effect effect, double tau, Verdict verdict, Guarantee guarantee) {
  /** Judges the effect at tau. */
  public static AuditFinding of(Effect effect, double tau, Guarantee guarantee) {
    return new AuditFinding(effect, tau, Verdict.of(effect, tau), guarantee);
  }

  /** Returns by how much the estimate exceeds the threshold; 0 within it. */
  public double violation() {
    return Math.max(0, Math.abs(effect.estimate()) - tau);
  }
}
