package io.equipoise.event;

import java.util.List;
import java.util.Locale;

/**
 * Names the event topics of a deployment; control topics are not part of a log. Their order defines
 * the bytes between operators.
 */
public enum LogTopic {
  CONTEXTS,
  REWARDS,
  DECISIONS,
  SEGMENT_EVENTS,
  AUDIT,
  EXPERIMENTS,
  METRICS,
  DEAD_LETTER;

  /** The topics that the job writes. */
  public static final List<LogTopic> OUTPUTS =
      List.of(DECISIONS, AUDIT, EXPERIMENTS, SEGMENT_EVENTS, METRICS, DEAD_LETTER);

  /** Returns the topic of a record. */
  public static LogTopic of(SegmentOutput record) {
    if (record instanceof Decision) {
      return DECISIONS;
    } else if (record instanceof FairnessAudit) {
      return AUDIT;
    } else if (record instanceof ExperimentRecord) {
      return EXPERIMENTS;
    } else if (record instanceof SegmentEvent) {
      return SEGMENT_EVENTS;
    }
    return record instanceof SegmentMetrics ? METRICS : DEAD_LETTER;
  }

  /** Returns the type of the topic's records. */
  public Wire<?> wire() {
    return switch (this) {
      case CONTEXTS -> Wire.CONTEXT;
      case REWARDS -> Wire.REWARD;
      case DECISIONS -> Wire.DECISION;
      case SEGMENT_EVENTS -> Wire.SEGMENT_EVENT;
      case AUDIT -> Wire.AUDIT;
      case EXPERIMENTS -> Wire.EXPERIMENT;
      case METRICS -> Wire.METRICS;
      case DEAD_LETTER -> Wire.DEAD_LETTER;
    };
  }

  /** Returns whether the job reads the topic; it writes the others. */
  public boolean isInput() {
    return this == CONTEXTS || this == REWARDS;
  }

  /** Returns the topic's name after that of the deployment. */
  public String suffix() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
