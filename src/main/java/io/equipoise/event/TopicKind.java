package io.equipoise.event;

/** Tells the two input topics apart. */
public enum TopicKind {
  /** Carries {@link ContextEvent}. */
  CONTEXTS,
  /** Carries {@link RewardEvent}. */
  REWARDS
}
