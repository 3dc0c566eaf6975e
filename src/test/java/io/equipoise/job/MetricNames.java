package io.equipoise.job;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The names that Flink's reporter for Prometheus gives the metrics of the job. */
public final class MetricNames {
  private static final String OPERATOR = "flink_taskmanager_job_task_operator_";

  private MetricNames() {}

  /** Returns the names of all metrics of the job. */
  public static List<String> all() {
    return Stream.concat(
            Arrays.stream(JobMetric.values()).map(metric -> OPERATOR + name(metric.path())),
            // the writers of outputs have a scope of their own
            Stream.of(OPERATOR + "user_" + name(JobMetric.DEAD_LETTER_RECORDS.path())))
        .toList();
  }

  private static String name(String path) {
    String[] parts = path.split("\\.", -1);
    return IntStream.range(0, parts.length)
        .filter(part -> part % 2 == 0)
        .mapToObj(part -> parts[part])
        .collect(Collectors.joining("_"));
  }
}
