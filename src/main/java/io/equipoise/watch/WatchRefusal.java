package io.equipoise.watch;

/** Names the reason why a registration, a run or a promotion is refused. */
public enum WatchRefusal {
  NOT_EXACTLY_ONCE,
  FEATURES_OFF,
  SENSITIVE_HIDDEN,
  SEGMENT_INACTIVE,
  SAME_TEXT,
  EXPERIMENT,
  ESTIMATED_PROPENSITIES,
  REWARD_DIFFERS,
  REWARD_UNBOUNDED,
  VARIABLE_DIFFERS,
  CAUSAL_BOUNDS,
  IDLE_STATE,
  WOULD_BE_REJECTED,
  NOT_SELECTED,
  TOO_MANY_CHALLENGERS,
  ALPHA_DIFFERS,
  TOO_MANY_GROUPS,
  ALREADY_OPEN,
  NOT_WATCHED,
  NOT_PASSED,
  STALE,
  ENDED,
  STARTS_EMPTY,
  EVIDENCE_DIFFERS;

  public WatchRefusedException because(String message) {
    return new WatchRefusedException(this, message);
  }

  public void refuseIf(boolean isRefused, String message) {
    if (isRefused) {
      throw because(message);
    }
  }
}
