package io.equipoise.job;

import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.SegmentOutput;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts in Flink's metrics the records that a subtask has written since its start: records by
 * output topic, dead letters by code, decisions by reason. The counters are for dashboards; the
 * ledgers on the metrics topic are exact.
 */
final class EmissionCounters {
  private static final Logger LOG = LoggerFactory.getLogger(EmissionCounters.class);

  private static final long NONE = -1;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Map<LogTopic, Counter> outputs = new EnumMap<>(LogTopic.class);
  private final LabeledCounters deadLetters;
  private final LabeledCounters decisions;
  private final LabeledCounters audits;
  private final LabeledCounters segmentEvents;
  private final Counter learnedRewards;
  private final Histogram latency;
  private volatile long windowClosed = NONE;
  private final LockInAlarm lockIn;
  private final Counter policyFailures;
  private final Consumer<String> warn;

  EmissionCounters(MetricGroup group) {
    this(group, LOG::warn);
  }

  /**
   * Registers the counters.
   *
   * @param warn receives alarms
   */
  EmissionCounters(MetricGroup group, Consumer<String> warn) {
    lockIn = new LockInAlarm(JobMetric.LOCKED_IN_RECORDS.counter(group), System::nanoTime, warn);
    deadLetters = new LabeledCounters(JobMetric.DEAD_LETTER_RECORDS, group);
    decisions = new LabeledCounters(JobMetric.DECISIONS, group);
    audits = new LabeledCounters(JobMetric.AUDITS, group);
    segmentEvents = new LabeledCounters(JobMetric.SEGMENT_EVENTS, group);
    learnedRewards = JobMetric.LEARNED_REWARDS.counter(group);
    latency = JobMetric.DECISION_LATENCY.histogram(group);
    JobMetric.WINDOW_CLOSED_AGE.gauge(
        group,
        () -> {
          long closed = windowClosed;
          return closed == NONE ? NONE : (System.nanoTime() - closed) / NANOS_PER_MILLI;
        });
    policyFailures = JobMetric.POLICY_FAILURES.counter(group);
    this.warn = warn;
    for (LogTopic output : LogTopic.OUTPUTS) {
      outputs.put(
          output, JobMetric.OUTPUT_RECORDS.counter(group, output.name().toLowerCase(Locale.ROOT)));
    }
  }

  void count(LogTopic output) {
    outputs.get(output).inc();
  }

  /** Counts a record by its labels; logs arms that are locked in. */
  void lookAt(SegmentOutput output) {
    if (output instanceof Decision decision) {
      decisions.count(decision.reason().name());
    } else if (output instanceof SegmentEvent event) {
      segmentEvents.count(event.type().name());
      if (event.learned()) {
        learnedRewards.inc();
      }
      if (event.type() == SegmentEventType.REWARD_TIMEOUT
          || event.type() == SegmentEventType.WINDOW_CLOSED) {
        windowClosed = System.nanoTime();
      }
    } else if (output instanceof SegmentMetrics metrics) {
      lockIn.lookAt(metrics.segment(), metrics.fairness().certificates());
    }
  }

  void lookAt(FairnessAudit audit) {
    audits.count(audit.effect().attribute(), audit.conclusion().verdict().name());
  }

  /** Takes the time from the append of a context to its decision. */
  void answered(long millis) {
    latency.update(millis);
  }

  /** Counts failures of policies and splits that reject no input; logs the first. */
  void policyFailed(String why) {
    if (policyFailures.getCount() == 0) {
      warn.accept(
          "A policy failed at a snapshot or a lost decision, or a split of a gap stopped, which"
              + " changes no answer: "
              + why
              + ". Report it to the authors of the policy or of Equipoise; policyFailures counts"
              + " further ones");
    }
    policyFailures.inc();
  }

  void countDeadLetter(String code) {
    deadLetters.count(code);
  }
}
