package io.equipoise.job;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** Flink's counters of the dead letters that a subtask has written since it started, by code. */
final class DeadLetterCounters {
  private final MetricGroup group;
  private final Map<String, Counter> counters = new HashMap<>();

  DeadLetterCounters(MetricGroup group) {
    this.group = group;
  }

  void count(String code) {
    counters
        .computeIfAbsent(code, name -> JobMetric.DEAD_LETTER_RECORDS.counter(group, name))
        .inc();
  }
}
