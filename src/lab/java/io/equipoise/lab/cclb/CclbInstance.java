package io.equipoise.lab.cclb;

import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.simulation.SplitMix;
import java.util.List;

/** Draws rounds from a distribution with a known truth. Immutable; several threads use it. */
interface CclbInstance {
  LogisticScale scale();

  /** Returns the number of candidates of every round. */
  int candidates();

  KnownRound next(SplitMix contexts);

  /**
   * Two contexts with fixed candidates: reward-driven play does not cover the effect of one.
   *
   * @param first probability of the first context
   * @param rounds the rounds of both contexts, with equally many candidates
   */
  record TwoContexts(LogisticScale scale, double first, List<KnownRound> rounds)
      implements CclbInstance {
    @Override
    public int candidates() {
      return rounds.get(0).request().size();
    }

    @Override
    public KnownRound next(SplitMix contexts) {
      return rounds.get(contexts.nextDouble() < first ? 0 : 1);
    }
  }
}
