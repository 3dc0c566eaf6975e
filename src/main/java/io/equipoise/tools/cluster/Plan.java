package io.equipoise.tools.cluster;

import java.util.Map;
import java.util.TreeMap;

/**
 * Configures a cluster. The plan is stored, so that a later {@code up} starts the same cluster.
 *
 * @param slots of each task manager; with as many as the parallelism, one can run the job alone
 * @param config absolute path of the file with the job's options
 * @param specs absolute path of a directory or file of segment specs
 * @param jobSettings options of the job, which override the file's
 * @param flinkSettings options of the processes, which override {@code conf/config.yaml}
 */
public record Plan(
    int taskManagers,
    int slots,
    int parallelism,
    String brokerHeap,
    String jobManagerMemory,
    String taskManagerMemory,
    String config,
    String specs,
    Map<String, String> jobSettings,
    Map<String, String> flinkSettings) {

  public Plan {
    jobSettings = new TreeMap<>(jobSettings);
    flinkSettings = new TreeMap<>(flinkSettings);
    if (taskManagers < 1 || slots < 1 || parallelism < 1) {
      throw new IllegalArgumentException(
          "task managers, slots and parallelism must be at least 1: %d, %d, %d"
              .formatted(taskManagers, slots, parallelism));
    }
    if (parallelism > taskManagers * slots) {
      throw new IllegalArgumentException(
          "parallelism %d needs more than the %d slots of %d task managers"
              .formatted(parallelism, taskManagers * slots, taskManagers));
    }
  }

  /** Returns the default cluster: a small version of docker-compose.yml. */
  public static Plan standard(Distribution distribution) {
    return new Plan(
        2,
        2,
        2,
        "512m",
        "768m",
        "1g",
        distribution.conf("equipoise.yaml").toString(),
        distribution.conf("specs").toString(),
        Map.of(),
        Map.of());
  }

  /** Returns a copy with another parallelism. */
  public Plan withParallelism(int other) {
    return with(other, specs, jobSettings, flinkSettings);
  }

  /** Returns a copy with other segment specs. */
  public Plan withSpecs(String other) {
    return with(parallelism, other, jobSettings, flinkSettings);
  }

  /** Returns a copy with additional options of the job and of the processes. */
  public Plan with(Map<String, String> moreJobSettings, Map<String, String> moreFlinkSettings) {
    Map<String, String> job = new TreeMap<>(jobSettings);
    job.putAll(moreJobSettings);
    Map<String, String> flink = new TreeMap<>(flinkSettings);
    flink.putAll(moreFlinkSettings);
    return with(parallelism, specs, job, flink);
  }

  private Plan with(int tasks, String from, Map<String, String> job, Map<String, String> flink) {
    return new Plan(
        taskManagers,
        slots,
        tasks,
        brokerHeap,
        jobManagerMemory,
        taskManagerMemory,
        config,
        from,
        job,
        flink);
  }
}
