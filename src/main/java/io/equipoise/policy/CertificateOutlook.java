package io.equipoise.policy;

import io.equipoise.event.CertificateStatus;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts what an arm lacks to be certified for an attribute, by what was learned
 * (docs/math/weighted-sums.md#forecasts).
 *
 * @param arm place in the spec
 * @param attribute place of the attribute, or the number of a set of them
 * @param rewards forecast of the rewards that are still needed, two digits of it; null where the
 *     arm is not open, and where more rewards certify nothing unless the estimate moves
 * @param share of the latest decisions whose rewards bring the certificate nearer
 * @param isLockedIn whether the arm may be better than the one that is chosen, is decided too
 *     seldom to be certified, and nothing will bring it back
 */
public record CertificateOutlook(
    int arm,
    int attribute,
    CertificateStatus status,
    @Nullable Long rewards,
    double share,
    boolean isLockedIn) {
  /** Rewards from this many on are rounded. */
  private static final double DIGITS = 100;

  /**
   * Returns the outlook of an arm that nothing is decided of yet, not marked as locked in.
   *
   * @param rewards forecast of the rewards that are still needed; {@link CertificateForecast#NEVER}
   *     where there is none
   */
  public static CertificateOutlook open(int arm, int attribute, double rewards, double share) {
    long unit = 1;
    while (rewards / unit >= DIGITS) {
      unit *= 10;
    }
    boolean isNever = rewards >= CertificateForecast.NEVER;
    return new CertificateOutlook(
        arm,
        attribute,
        CertificateStatus.OPEN,
        isNever ? null : (Long) ((long) Math.ceil(rewards / unit) * unit),
        share,
        false);
  }

  /** Returns the decisions that bring those rewards, infinite where no decision brings any. */
  public double decisions(double answered) {
    return rewards == null ? Double.NaN : rewards / (share * answered);
  }

  /** Returns the same, marked as locked in. */
  CertificateOutlook lockedIn() {
    return new CertificateOutlook(arm, attribute, status, rewards, share, true);
  }
}
