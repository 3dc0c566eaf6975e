package io.equipoise.event;

/** Names the unit of audited effects, their intervals and the threshold. */
public enum EffectUnit {
  REWARD,
  /** Natural logarithms of odds of a reward of 1; the threshold is that of an odds ratio. */
  LOG_ODDS
}
