package io.equipoise.lab.cclb;

import io.equipoise.bandit.logistic.LogisticScale;
import io.equipoise.lab.SplitMix;

/** A distribution of rounds with a known truth. Immutable; used by several threads. */
interface Instance {
  LogisticScale scale();

  /** Returns the number of candidates of every round. */
  int candidates();

  /** Draws a round. */
  KnownRound next(SplitMix contexts);
}
