package io.equipoise.audit.log;

import io.equipoise.job.options.Topics;

/** The topics of a deployment that hold events; the control topics hold texts and are no log. */
public enum LogTopic {
  CONTEXTS,
  REWARDS,
  DECISIONS,
  SEGMENT_EVENTS,
  AUDIT,
  EXPERIMENTS,
  METRICS,
  DEAD_LETTER;

  /** Returns the topic's name in a deployment. */
  public String in(Topics topics) {
    return switch (this) {
      case CONTEXTS -> topics.contexts();
      case REWARDS -> topics.rewards();
      case DECISIONS -> topics.decisions();
      case SEGMENT_EVENTS -> topics.segmentEvents();
      case AUDIT -> topics.audit();
      case EXPERIMENTS -> topics.experiments();
      case METRICS -> topics.metrics();
      case DEAD_LETTER -> topics.deadLetter();
    };
  }

  /** Says whether the job reads it; it writes the others. */
  public boolean isInput() {
    return this == CONTEXTS || this == REWARDS;
  }
}
