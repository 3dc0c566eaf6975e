package io.equipoise.lab.chaos;

import io.equipoise.job.options.JobConfig;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterProcess;
import io.equipoise.tools.cluster.ClusterStop;
import io.equipoise.tools.cluster.FlinkRest.JobState;
import io.equipoise.tools.cluster.FlinkRest.LastCheckpoint;
import io.equipoise.tools.cluster.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives faults the cluster, its supervisor, the job's options, the seeded random numbers that
 * select victims and times, and the receiver of progress messages.
 *
 * @param hostNetwork null if all processes are on loopback
 */
record ChaosContext(
    Cluster cluster,
    Supervisor supervisor,
    SplittableRandom random,
    JobConfig config,
    Consumer<String> progress,
    @Nullable HostNetwork hostNetwork) {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** Returns the network of the hosts, for faults that need it. */
  HostNetwork network() {
    return Objects.requireNonNull(hostNetwork, "--hosts");
  }

  /** Returns a member of a kind, a random one if there are several. */
  ClusterProcess member(ClusterProcess.ProcessKind kind) {
    List<ClusterProcess> all = cluster.members().stream().filter(it -> it.kind() == kind).toList();
    return all.get(all.size() == 1 ? 0 : random.nextInt(all.size()));
  }

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
            () -> new ClusterException("tasks run on " + name + ", which is not of this cluster"));
  }

  /** Returns the job, waiting until a job manager reports it. */
  JobState job() {
    List<JobState> found = new ArrayList<>();
    Waiting.until(() -> cluster.rest().job().map(found::add).orElse(false), PATIENCE);
    if (found.isEmpty()) {
      throw new ClusterException("the cluster runs no job");
    }
    return found.get(0);
  }

  /**
   * Waits until every process is running and registered, and the whole job runs and has completed a
   * checkpoint since the last fault. Without the wait, close faults would add up to one long
   * outage.
   */
  void awaitSteady() {
    boolean isSteady =
        Waiting.until(
            () ->
                cluster.members().stream().allMatch(cluster::isAlive)
                    && cluster.rest().slots().size() == cluster.file().plan().taskManagers()
                    && cluster.members().stream()
                        .filter(one -> one.kind() == ClusterProcess.ProcessKind.GATEWAY)
                        .allMatch(cluster::isServing)
                    && cluster.rest().job().map(this::isSteady).orElse(false),
            PATIENCE);
    if (!isSteady) {
      supervisor.check();
      throw new ClusterException(
          "the cluster does not recover within "
              + PATIENCE.toMinutes()
              + " min; "
              + cluster.layout().logTail(ClusterProcess.JOB_MANAGER.name()));
    }
  }

  /** Waits until all is steady and another checkpoint is complete, which needs the brokers. */
  void awaitCheckpoint() {
    long before = newestCheckpoint();
    awaitSteady();
    if (!Waiting.until(() -> newestCheckpoint() > before, PATIENCE)) {
      throw new ClusterException("no checkpoint completes within " + PATIENCE);
    }
  }

  private long newestCheckpoint() {
    return cluster.rest().lastCheckpoint(job().id()).map(LastCheckpoint::id).orElse(0L);
  }

  private boolean isSteady(JobState job) {
    return job.isWhole() && cluster.rest().hasProgressed(job.id());
  }

  /** Waits for a random part of a second, so that faults occur in every phase. */
  void awaitAnyMoment() throws InterruptedException {
    Thread.sleep(random.nextInt(1_500));
  }

  void signal(ClusterProcess clusterProcess, String signal) throws InterruptedException {
    long pid =
        cluster
            .handle(clusterProcess)
            .orElseThrow(() -> new ClusterException(clusterProcess.name() + " is not running"))
            .pid();
    run("kill", "-" + signal, Long.toString(pid));
  }

  /** Stops the job with a savepoint, without draining, and returns the savepoint. */
  String stopJob() {
    return new ClusterStop(cluster, line -> {})
        .stopJob()
        .orElseThrow(() -> new ClusterException("the job did not stop with a savepoint"));
  }

  /** Runs a command and throws unless its exit code is 0. */
  static void run(String... command) throws InterruptedException {
    String complaint = attempt(command);
    if (!complaint.isEmpty()) {
      throw new IllegalStateException(String.join(" ", command) + ": " + complaint);
    }
  }

  /** Runs a command; returns its error output, empty if the exit code is 0. */
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
