package io.equipoise.lab.cclb;

import io.equipoise.lab.SplitMix;
import io.equipoise.policy.logistic.LogisticScale;

/** A distribution of rounds with a known truth. Immutable; used by several threads. */
interface CclbInstance {
  LogisticScale scale();

  /** Returns the number of candidates of every round. */
  int candidates();

  /** Draws a round. */
  KnownRound next(SplitMix contexts);
}
