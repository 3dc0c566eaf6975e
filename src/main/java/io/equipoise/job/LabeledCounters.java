package io.equipoise.job;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Counts one metric since the task started in Flink's counters, one for each combination of labels
 * that occurs. Only for labels with few values: a group of Flink cannot be removed.
 */
final class LabeledCounters {
  private final JobMetric metric;
  private final MetricGroup group;
  private final Map<List<String>, Counter> counters = new HashMap<>();

  LabeledCounters(JobMetric metric, MetricGroup group) {
    this.metric = metric;
    this.group = group;
  }

  void count(String... labels) {
    counters.computeIfAbsent(List.of(labels), any -> metric.counter(group, labels)).inc();
  }
}
