package io.equipoise.event;

import java.util.Locale;

/**
 * Names a count in the ledgers of contexts, decisions and rewards. The order is part of the state
 * layout: append only.
 */
public enum Account {
  CONTEXT_DECIDED,
  CONTEXT_REJECTED,
  CONTEXT_DEADLINE_EXCEEDED,
  CONTEXT_DUPLICATE,
  CONTEXT_CONFLICTING,
  DECISION_AWAITING,
  DECISION_SETTLED,
  DECISION_TIMED_OUT,
  DECISION_EVICTED,
  DECISION_CLOSED_NOT_LEARNABLE,
  REWARD_APPLIED,
  REWARD_BUFFERED,
  REWARD_HELD_EARLY,
  REWARD_DUPLICATE,
  REWARD_CONFLICTING,
  REWARD_LATE,
  REWARD_ORPHAN,
  REWARD_NOT_LEARNABLE,
  REWARD_INVALID;

  /** Names the ledger that an account belongs to. */
  public enum Ledger {
    CONTEXT,
    DECISION,
    REWARD
  }

  public Ledger ledger() {
    return Ledger.valueOf(name().substring(0, name().indexOf('_')));
  }

  /**
   * Returns the path of the count in a segment's metrics, for example {@code rewards.heldEarly}.
   */
  public String path() {
    StringBuilder path = new StringBuilder(ledger().name().toLowerCase(Locale.ROOT)).append("s.");
    String[] words = name().substring(name().indexOf('_') + 1).split("_", -1);
    for (int i = 0; i < words.length; i++) {
      String word = words[i].toLowerCase(Locale.ROOT);
      path.append(
          i == 0 ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return path.toString();
  }
}
