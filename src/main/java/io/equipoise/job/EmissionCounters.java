package io.equipoise.job;

import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentMetrics;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flink's counters of the records that a subtask has written since its start: records by output
 * topic, dead letters by code. They are for dashboards; the ledgers on the metrics topic are exact.
 */
final class EmissionCounters {
  private static final Logger LOG = LoggerFactory.getLogger(EmissionCounters.class);

  private final Map<LogTopic, Counter> outputs = new EnumMap<>(LogTopic.class);
  private final DeadLetterCounters deadLetters;

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
    deadLetters = new DeadLetterCounters(group);
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

  /** Counts and logs arms that are locked in. */
  void lookAt(SegmentMetrics metrics) {
    lockIn.lookAt(metrics.segment(), metrics.fairness().certificates());
  }

  /** Counts failures of policies that refuse no input; logs the first. */
  void policyFailed(String why) {
    if (policyFailures.getCount() == 0) {
      warn.accept(
          "A policy failed at a snapshot or a lost decision, which changes no answer: "
              + why
              + ". Report it to the authors of the policy; policyFailures counts further ones");
    }
    policyFailures.inc();
  }

  void countDeadLetter(String code) {
    deadLetters.count(code);
  }
}
