package io.equipoise.policy;

import java.util.List;

/**
 * Arms that may be fair and pay more, but are decided too seldom to become certified, and that no
 * rule will bring back.
 */
public final class LockIn {
  /** Before so many decisions no arm is locked in: shares of the latest ones say little. */
  public static final long FEWEST_DECISIONS = 1_000;

  private LockIn() {}

  /**
   * Returns what an operator should know of a policy that plays only arms which it has certified,
   * while no arm but the one that is played tells of its own effects.
   *
   * @param because why no other does
   * @param remedies besides exploration over all
   */
  public static String warning(String because, String remedies) {
    return "lock-in: "
        + because
        + "; once some arm is certified, one that is not is never tried and never becomes"
        + " certified, though it may be fair and pay more. "
        + remedies
        + ", or set policy.explore: balanced";
  }

  /**
   * Marks the open arms that have a greater mean reward than the chosen arm and whose certificate
   * needs more than {@link CertificateForecast#HOPELESS} decisions at their present share. For
   * policies that may leave them at that share.
   *
   * @param means predicted mean reward of each arm
   */
  public static List<CertificateOutlook> mark(
      List<CertificateOutlook> outlooks, double[] means, SegmentTraffic traffic) {
    if (traffic.decisions() < FEWEST_DECISIONS) {
      return outlooks;
    }
    double best = means[traffic.chosen()];
    return outlooks.stream()
        .map(
            outlook ->
                means[outlook.arm()] > best
                        && outlook.decisions(traffic.answered()) > CertificateForecast.HOPELESS
                    ? outlook.lockedIn()
                    : outlook)
        .toList();
  }
}
