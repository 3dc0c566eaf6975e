package io.equipoise.policy.linear;

/**
 * Splits an error probability over the models of arms, of which nobody knows how many will come:
 * requests bring arms of their own, and later versions of a spec add some. The arm at a position
 * gets 6 / (pi^2 (position + 1)^2) of it, and these shares add up to 1.
 */
final class AlphaSpending {
  private static final double OF_FIRST = 6 / (Math.PI * Math.PI);

  private AlphaSpending() {}

  /** Returns an arm's share; all of it for the one model of {@link LinearBlocks#SHARED}. */
  static double share(int position) {
    double place = position + 1.0;
    return position == LinearBlocks.SHARED ? 1 : OF_FIRST / (place * place);
  }
}
