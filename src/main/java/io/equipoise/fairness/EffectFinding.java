package io.equipoise.fairness;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditInterval;
import io.equipoise.event.AuditVerdict;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the effect of setting one sensitive attribute to another value while the arm stays the
 * same: E[R(s')|x] - E[R(s)|x] (Huang et al. 2022, eq. 9), with an interval.
 *
 * @param attribute position of the attribute in the context vector; for a set of attributes that
 *     change together, its number after all positions
 * @param factual level index, joint for a set; differs from the context's only if that is
 *     undisclosed
 * @param counterfactual level index of s'
 * @param identification IDENTIFIED if eq. 8 applies, BOUNDED if the interval is that of Theorem 2
 *     or a union over undisclosed values
 * @param unsupportedShare share of upper - lower that comes from cells without an observation, or
 *     share of the estimate's variance that comes from the ridge alone, in [0, 1]
 * @param leverage variance of the estimate, c'A^-1c with the effect's gradient c and the design
 *     matrix A (docs/math/logistic.md#coverage). Unit: the variance of one reward, except for
 *     logistic models, whose A includes it. Null if it is infinite or the estimate is not a single
 *     function of the data
 * @param interval how the interval was made; null where no kind has a name
 * @param information how many observations of the contrast the interval amounts to, N; null but for
 *     a single {@link AuditInterval#CONTRAST}
 * @param imbalance what the interval reaches further to each side because its weights are out of
 *     balance, in units of the reward; null likewise
 */
public record EffectFinding(
    int attribute,
    int factual,
    int counterfactual,
    AuditEffectKind kind,
    EffectIdentification identification,
    double estimate,
    double lower,
    double upper,
    double unsupportedShare,
    @Nullable Double leverage,
    @Nullable AuditInterval interval,
    @Nullable Double information,
    @Nullable Double imbalance) {
  /** From this share of the interval's length on, an effect counts as never observed. */
  public static final double NO_OVERLAP_FROM = 0.5;

  public EffectFinding {
    if (!(lower <= upper && unsupportedShare >= 0 && unsupportedShare <= 1)) {
      throw new IllegalArgumentException(
          "effect in [" + lower + ", " + upper + "] with unsupported share " + unsupportedShare);
    }
    if (leverage != null && !(leverage >= 0 && leverage < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("effect with leverage " + leverage);
    }
  }

  /** An effect whose interval has no kind. */
  public EffectFinding(
      int attribute,
      int factual,
      int counterfactual,
      AuditEffectKind kind,
      EffectIdentification identification,
      double estimate,
      double lower,
      double upper,
      double unsupportedShare,
      @Nullable Double leverage) {
    this(
        attribute,
        factual,
        counterfactual,
        kind,
        identification,
        estimate,
        lower,
        upper,
        unsupportedShare,
        leverage,
        null,
        null,
        null);
  }

  /**
   * Returns an effect that the graph does not identify; its interval is the full range of rewards.
   */
  public static EffectFinding notIdentified(
      int attribute, int factual, int counterfactual, AuditEffectKind kind, double span) {
    return new EffectFinding(
        attribute,
        factual,
        counterfactual,
        kind,
        EffectIdentification.NOT_IDENTIFIED,
        0,
        -span,
        span,
        1,
        null);
  }

  /**
   * Returns the finding if either this or another effect is the person's: the union of both
   * intervals, and the larger estimate.
   */
  public EffectFinding or(EffectFinding other) {
    return new EffectFinding(
        attribute,
        factual,
        counterfactual,
        kind,
        EffectIdentification.BOUNDED,
        Math.abs(other.estimate) > Math.abs(estimate) ? other.estimate : estimate,
        Math.min(lower, other.lower),
        Math.max(upper, other.upper),
        Math.max(unsupportedShare, other.unsupportedShare),
        null,
        interval == other.interval ? interval : null,
        null,
        null);
  }

  /**
   * Returns the verdict on this effect at tau; an effect of exactly tau is fair. The interval of a
   * regression decides only where it rests on data more than on the prior.
   */
  public AuditVerdict verdict(double tau) {
    return verdict(tau, kind == AuditEffectKind.DIRECT);
  }

  /**
   * Returns the same, where the caller knows the interval.
   *
   * @param restsOnNorm whether it rests on an assumed norm, not on the range of rewards
   */
  AuditVerdict verdict(double tau, boolean restsOnNorm) {
    if (identification == EffectIdentification.NOT_IDENTIFIED) {
      return AuditVerdict.NOT_IDENTIFIED;
    }
    boolean hasNoOverlap = unsupportedShare >= NO_OVERLAP_FROM;
    if (hasNoOverlap && restsOnNorm) {
      return AuditVerdict.NO_OVERLAP;
    }
    if (worst() <= tau) {
      return AuditVerdict.CERTIFIED_FAIR;
    }
    if (lower > tau || upper < -tau) {
      return AuditVerdict.UNFAIR;
    }
    if (hasNoOverlap) {
      return AuditVerdict.NO_OVERLAP;
    }
    return Math.abs(estimate) <= tau ? AuditVerdict.FAIR : AuditVerdict.UNCERTAIN;
  }

  /** Returns whether the interval is that of the effect itself, not a union over unknown values. */
  public boolean isIdentified() {
    return identification == EffectIdentification.IDENTIFIED;
  }

  /** Returns a variance as a leverage: null if it is infinite or NaN. */
  public static @Nullable Double leverageOf(double variance) {
    return Double.isFinite(variance) ? (Double) Math.max(0, variance) : null;
  }

  /** Returns the largest absolute effect within the interval. */
  public double worst() {
    return Math.max(Math.abs(lower), Math.abs(upper));
  }
}
