package io.equipoise.fairness;

/** Says what is known of an effect at a threshold. */
public enum Verdict {
  /** The whole interval is within the threshold. */
  CERTIFIED_FAIR(0),
  /** The whole interval is beyond the threshold, on one side. */
  UNFAIR(1),
  /** Undecided, and more of the same traffic need not help: the uncertainty is lack of any data. */
  NO_OVERLAP(2),
  /** Undecided, the estimate is within the threshold. A point statement, no certificate. */
  FAIR(3),
  /** Undecided, the estimate is beyond the threshold. */
  UNCERTAIN(4),
  /** Undecided, and no data can help: the graph does not identify the effect. */
  NOT_IDENTIFIED(5);

  /** From this share of the interval's length on, an effect counts as never observed. */
  public static final double NO_OVERLAP_FROM = 0.5;

  /** Where sums and digests hold this verdict; never changes. */
  final int slot;

  Verdict(int slot) {
    this.slot = slot;
  }

  /**
   * Returns the verdict on an effect at tau; an effect of exactly tau is fair. The interval of a
   * regression decides only where it rests on data more than on the prior.
   */
  public static Verdict of(AuditEffect auditEffect, double tau) {
    if (auditEffect.identification() == EffectIdentification.NOT_IDENTIFIED) {
      return NOT_IDENTIFIED;
    }
    boolean hasNoOverlap = auditEffect.unsupportedShare() >= NO_OVERLAP_FROM;
    if (hasNoOverlap && auditEffect.kind() == EffectKind.DIRECT) {
      return NO_OVERLAP; // the interval of a regression rests on an assumed norm, not on the range
    }
    if (auditEffect.worst() <= tau) {
      return CERTIFIED_FAIR;
    }
    if (auditEffect.lower() > tau || auditEffect.upper() < -tau) {
      return UNFAIR;
    }
    if (hasNoOverlap) {
      return NO_OVERLAP;
    }
    return Math.abs(auditEffect.estimate()) <= tau ? FAIR : UNCERTAIN;
  }
}
