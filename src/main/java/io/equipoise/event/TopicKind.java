package io.equipoise.event;

/** The two input topics. */
public enum TopicKind {
  /** Contains {@link ContextEvent}. */
  CONTEXTS,
  /** Contains {@link RewardEvent}. */
  REWARDS
}
