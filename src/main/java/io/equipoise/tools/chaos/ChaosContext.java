package io.equipoise.tools.chaos;

import io.equipoise.job.options.JobConfig;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterProcess;
import io.equipoise.tools.cluster.ClusterStop;
import io.equipoise.tools.cluster.FlinkRest.JobState;
import io.equipoise.tools.cluster.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * What faults act on: the cluster, its supervisor, the job's options, and the seeded chance that
 * picks victims and moments.
 */
record ChaosContext(
    Cluster cluster, Supervisor supervisor, SplittableRandom random, JobConfig config) {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** Returns one of the task managers that run tasks. */
  ClusterProcess workingTaskManager() {
    List<String> found = new ArrayList<>();
    Waiting.until(
        () -> {
          found.addAll(new TreeSet<>(cluster.rest().workers(job().id())));
          return !found.isEmpty();
        },
        PATIENCE);
    String name = found.get(random.nextInt(found.size()));
    return cluster.members().stream()
        .filter(clusterProcess -> clusterProcess.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new ClusterException("tasks run on " + name + ", which is none of ours"));
  }

  /** Returns the job, waiting until a job manager tells of it. */
  JobState job() {
    List<JobState> found = new ArrayList<>();
    Waiting.until(() -> cluster.rest().job().map(found::add).orElse(false), PATIENCE);
    if (found.isEmpty()) {
      throw new ClusterException("no job is there");
    }
    return found.get(0);
  }

  /**
   * Waits until every member lives and is known, and the whole job runs and has completed a
   * checkpoint since the last fault: faults that come faster add up to one long outage.
   */
  void awaitSteady() {
    boolean isSteady =
        Waiting.until(
            () ->
                cluster.members().stream().allMatch(cluster::isAlive)
                    && cluster.rest().slots().size() == cluster.file().plan().taskManagers()
                    && cluster.rest().job().map(this::isSteady).orElse(false),
            PATIENCE);
    if (!isSteady) {
      supervisor.check();
      throw new ClusterException(
          "the cluster does not get whole again within "
              + PATIENCE.toMinutes()
              + " min; "
              + cluster.layout().logTail(ClusterProcess.JOB_MANAGER.name()));
    }
  }

  private boolean isSteady(JobState job) {
    return job.isWhole() && cluster.rest().hasProgressed(job.id());
  }

  /** Waits for a part of a second that chance picks, so that faults meet every phase. */
  void awaitAnyMoment() throws InterruptedException {
    Thread.sleep(random.nextInt(1_500));
  }

  /** Sends a signal to a member by its pid. */
  void signal(ClusterProcess clusterProcess, String signal) throws InterruptedException {
    long pid =
        cluster
            .handle(clusterProcess)
            .orElseThrow(() -> new ClusterException(clusterProcess.name() + " does not live"))
            .pid();
    run("kill", "-" + signal, Long.toString(pid));
  }

  /** Stops the job with a savepoint, without draining, and returns the savepoint. */
  String stopJob() {
    return new ClusterStop(cluster, line -> {})
        .stopJob()
        .orElseThrow(() -> new ClusterException("the job did not stop with a savepoint"));
  }

  /** Runs a command and throws if it does not end with 0. */
  static void run(String... command) throws InterruptedException {
    String complaint = attempt(command);
    if (!complaint.isEmpty()) {
      throw new IllegalStateException(String.join(" ", command) + ": " + complaint);
    }
  }

  /** Runs a command; returns what it complained of, empty if it ended with 0. */
  static String attempt(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int code = process.waitFor();
      return code == 0 ? "" : "exit code " + code + " " + said;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command[0], e);
    }
  }
}
