package io.equipoise.policy.linear;

/** What a policy believes an arm to be worth, from the mean theta'x and width sqrt(x'A^-1x). */
public sealed interface LinearIndex {
  /** The mean: for epsilon-greedy. */
  record Mean() implements LinearIndex {}

  /** mean + beta * width (Li et al. 2010; Fair-LinUCB, eq. 3). */
  record Ucb(Radius radius) implements LinearIndex {}

  /**
   * A draw from N(mean, (scale * width)^2), jointly for all candidates (Agrawal and Goyal 2013).
   * The propensities are shares among a number of draws, the one that chose included.
   */
  record Posterior(double scale, int draws) implements LinearIndex {
    public Posterior {
      if (!(scale >= 0) || draws < 1 || draws > 100_000) {
        throw new IllegalArgumentException("scale " + scale + ", draws " + draws);
      }
    }
  }

  /** Another index, clipped into the candidate's causal bounds of its mean reward [L, U]. */
  record Clipped(LinearIndex inner) implements LinearIndex {}
}
