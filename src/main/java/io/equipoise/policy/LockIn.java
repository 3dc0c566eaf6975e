package io.equipoise.policy;

/** What is said of a policy whose set of certified arms cannot grow. */
public final class LockIn {
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
        + ", or give policy.explore with over: all";
  }
}
