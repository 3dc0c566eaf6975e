package io.equipoise.policy.linear;

import io.equipoise.segmentspec.NumberRange;
import org.jspecify.annotations.Nullable;

/**
 * Computes what a policy believes an arm to be worth, from the mean theta'x and width
 * sqrt(x'A^-1x).
 */
public sealed interface LinearIndex {
  /** Takes the mean: for epsilon-greedy. */
  record Mean() implements LinearIndex {}

  /**
   * mean + beta * width (Li et al. 2010; Fair-LinUCB, eq. 3).
   *
   * @param range of the rewards whose standard deviation multiplies beta; null to multiply it by 1
   */
  record Ucb(Radius radius, @Nullable NumberRange range) implements LinearIndex {
    /** Makes the index of the papers. */
    public Ucb(Radius radius) {
      this(radius, null);
    }

    /**
     * Returns the factor of beta: the standard deviation of the rewards of the candidates' models,
     * and of one reward at each end of the range, so that it is half the range before the first.
     */
    double scale(LinearRound out) {
      if (range == null) {
        return 1;
      }
      double n = 2;
      double sum = range.low() + range.high();
      double squares = range.low() * range.low() + range.high() * range.high();
      int models = out.isShared() ? 1 : out.size;
      for (int place = 0; place < models; place++) {
        RidgeRegression ridge = out.ridge(place);
        n += ridge.counted;
        sum += ridge.rewards;
        squares += ridge.squares;
      }
      double mean = sum / n;
      return Math.sqrt(Math.max(0, squares / n - mean * mean));
    }
  }

  /**
   * Draws from N(mean, (scale * width)^2), jointly for all candidates (Agrawal and Goyal 2013). The
   * propensities are shares among a number of draws, the one that chose included.
   */
  record Posterior(double scale, int draws) implements LinearIndex {
    public Posterior {
      if (!(scale >= 0) || draws < 1 || draws > 100_000) {
        throw new IllegalArgumentException("scale " + scale + ", draws " + draws);
      }
    }
  }

  /** Clips another index into the candidate's causal bounds of its mean reward [L, U]. */
  record Clipped(LinearIndex inner) implements LinearIndex {}
}
