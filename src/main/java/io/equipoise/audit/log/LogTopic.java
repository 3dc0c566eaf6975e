package io.equipoise.audit.log;

import io.equipoise.job.options.Topics;

/** The event topics of a deployment; control topics are not part of a log. */
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

  /** Returns whether the job reads the topic; it writes the others. */
  public boolean isInput() {
    return this == CONTEXTS || this == REWARDS;
  }
}
