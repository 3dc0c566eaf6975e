package io.equipoise.job;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/**
 * Names the metrics that the job registers with Flink, in the order of {@code
 * docs/reference/metrics.md}.
 *
 * <p>A path has named groups and variables: {@code output.<topic>.records} is the metric {@code
 * records} in the group {@code output} of one topic. Flink puts the scope of the operator before
 * it.
 */
public enum JobMetric {
  OUTPUT_RECORDS(
      "output.<topic>.records",
      "counter",
      "segment",
      "Records that the operator wrote to the topic since the task started."),
  DEAD_LETTER_RECORDS(
      "deadLetter.<code>.records",
      "counter",
      "context-ingest, reward-ingest, spec-validation, bounds-validation, segment, outputs",
      "Dead letters with this error code since the task started. Each operator counts the records"
          + " that it refuses; `outputs` counts records that are too large to be written."),
  DECISIONS(
      "reason.<reason>.decisions",
      "counter",
      "segment",
      "Decisions with this reason since the task started, REPEATED and REJECTED included."),
  SEGMENT_EVENTS(
      "type.<type>.segmentEvents",
      "counter",
      "segment",
      "Records of `segment-events` of this type since the task started. They tell what became of"
          + " rewards and windows; refused rewards are dead letters."),
  LEARNED_REWARDS(
      "learnedRewards",
      "counter",
      "segment",
      "Rewards, aggregates and defaults that entered a model since the task started."),
  AUDITS(
      "attribute.<attribute>.verdict.<verdict>.audits",
      "counter",
      "segment",
      "Audited effects of a sensitive attribute with this verdict since the task started."),
  DECISION_LATENCY(
      "decisionLatency",
      "histogram, ms",
      "segment",
      "Time from the append of a context to its decision, over the last 1000. With exactly-once"
          + " delivery readers see the decision after the next checkpoint."),
  WINDOW_CLOSED_AGE(
      "windowClosedAge",
      "gauge, ms",
      "segment",
      "Time since the subtask last ended a reward window at its end; -1 before the first. Alarm"
          + " when it is far above the longest window: event time stands still."),
  LOST_RECORDS(
      "lostRecords",
      "counter",
      "segment",
      "Records of `decisions` and `segment-events` that the restored state has written and that are"
          + " not on the topics. Alarm when it is above 0."),
  REMOVED_INPUTS(
      "removedInputs",
      "counter",
      "segment",
      "Offsets of `contexts` and `rewards` that retention removed before the restored state had"
          + " read them, at most; subtask 0 counts them for all. Alarm when it is above 0."),
  LOCKED_IN_RECORDS(
      "lockedInRecords",
      "counter",
      "segment",
      "Records of `metrics` with an arm that is locked in since the task started. Alarm when it"
          + " rises."),
  POLICY_FAILURES(
      "policyFailures",
      "counter",
      "segment",
      "Exceptions of a policy at a snapshot or at a decision that got no reward, and of the live"
          + " split of a gap, since the task started. They refuse no input; the others are `deadLetter.POLICY_FAILED.records`."
          + " Alarm when it rises."),
  SEGMENTS(
      "segments.<state>.count",
      "gauge",
      "segment",
      "Segments that the subtask keeps, `active` or `passivated`."),
  SEGMENTS_SHARE(
      "segments.<state>.share",
      "gauge, 0 to 1",
      "segment",
      "The same as a share of the subtask's part of `equipoise.segments.most` or"
          + " `equipoise.segments.most-passivated`. Alarm at 0.8, where the job logs a WARN."),
  UNKNOWN_ATTRIBUTES(
      "unknownAttributes",
      "counter",
      "segment",
      "Contexts with an attribute that is no variable of their spec, since the task started. The"
          + " log names each attribute once. Alarm when it rises after a change of the callers."),
  EVENT_TIME_LAG(
      "topic.<topic>.partition.<partition>.eventTimeLag",
      "gauge, ms",
      "contexts, rewards",
      "How far the event time of an input partition is behind the clock. Windows wait for the"
          + " partitions where it is largest.");

  private static final int SAMPLES = 1000;

  private final String path;
  private final String type;
  private final String operators;
  private final String meaning;

  JobMetric(String path, String type, String operators, String meaning) {
    this.path = path;
    this.type = type;
    this.operators = operators;
    this.meaning = meaning;
  }

  /** Returns the groups, variables and name of the metric, separated by dots. */
  String path() {
    return path;
  }

  /** Registers a counter with a value for each variable of the path, in its order. */
  Counter counter(MetricGroup group, String... values) {
    return at(group, values).counter(metricName());
  }

  /** Registers a gauge with a value for each variable of the path, in its order. */
  void gauge(MetricGroup group, Gauge<?> gauge, String... values) {
    at(group, values).gauge(metricName(), gauge);
  }

  /** Registers a histogram of the last {@value #SAMPLES} values. */
  Histogram histogram(MetricGroup group) {
    return group.histogram(metricName(), new DescriptiveStatisticsHistogram(SAMPLES));
  }

  /** Returns one row for each metric. */
  static String markdown() {
    StringBuilder table =
        new StringBuilder("| metric | type | operators | meaning |\n| --- | --- | --- | --- |\n");
    for (JobMetric metric : values()) {
      table.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  metric.path,
                  metric.type,
                  "`" + metric.operators.replace(", ", "`, `") + "`",
                  metric.meaning));
    }
    return table.toString();
  }

  /** Returns the name of the metric within its groups. */
  String metricName() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  private MetricGroup at(MetricGroup group, String... values) {
    List<String> parts = new ArrayList<>(List.of(path.split("\\.", -1)));
    parts.remove(parts.size() - 1);
    if (parts.size() != 2 * values.length) {
      throw new IllegalArgumentException(path + " with " + values.length + " values");
    }
    MetricGroup at = group;
    for (int value = 0; value < values.length; value++) {
      at = at.addGroup(parts.get(2 * value), values[value]);
    }
    return at;
  }
}
