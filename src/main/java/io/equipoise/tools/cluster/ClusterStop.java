package io.equipoise.tools.cluster;

import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import io.equipoise.tools.cluster.FlinkRest.JobState;
import io.equipoise.tools.cluster.FlinkRest.LastCheckpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Saves the job's state and ends the processes of a cluster. */
public record ClusterStop(Cluster cluster, Consumer<String> news) {
  private static final Duration SAVEPOINT = Duration.ofMinutes(2);
  private static final Duration ELECTION = Duration.ofMinutes(1);

  /**
   * Stops the job with a savepoint, if the whole job runs, and ends the processes. Otherwise the
   * last checkpoint stays in the directory, and the next {@code up} recovers it.
   *
   * @return whether a savepoint has the state, no job manager knew a job, or no process ran
   */
  public boolean run() {
    return run(ELECTION);
  }

  /** As {@link #run()}; waits for so long until the job managers have elected a leader. */
  boolean run(Duration election) {
    boolean isSaved = true;
    if (cluster.members().stream().anyMatch(cluster::isAlive)) {
      if (isManaged() && !cluster.rest().answers()) {
        news.accept("No job manager leads; waiting for one, up to " + election.toSeconds() + " s.");
      }
      Waiting.until(() -> cluster.rest().answers() || !isManaged(), election);
      if (cluster.rest().answers()) {
        isSaved = cluster.rest().job().isEmpty() || stopJob().isPresent();
      } else {
        isSaved = withoutSavepoint("no job manager leads", Optional.empty()).isPresent();
      }
    }
    processes();
    return isSaved;
  }

  private boolean isManaged() {
    return cluster.members().stream()
        .anyMatch(it -> it.kind() == ProcessKind.JOBMANAGER && cluster.isAlive(it));
  }

  /**
   * Stops the job with a savepoint, without draining, which would expire every pending decision.
   *
   * @return the savepoint's path; empty if the whole job did not run
   */
  public Optional<String> stopJob() {
    Optional<JobState> job = cluster.rest().job();
    if (job.isEmpty()) {
      return Optional.empty();
    }
    String id = job.get().id();
    if (!job.get().isWhole()) {
      return withoutSavepoint("not all tasks of the job run", cluster.rest().lastCheckpoint(id));
    }
    news.accept("Stopping the job with a savepoint, within " + SAVEPOINT.toSeconds() + " s.");
    Optional<String> request = cluster.rest().stopWithSavepoint(id);
    List<FlinkRest.Savepoint> result = new ArrayList<>();
    boolean isDone =
        request.isPresent()
            && Waiting.until(
                () ->
                    cluster
                        .rest()
                        .savepoint(id, request.get())
                        .map(result::add)
                        .orElse(cluster.members().stream().noneMatch(cluster::isAlive)),
                SAVEPOINT);
    if (!isDone || result.isEmpty() || result.get(0).path().isEmpty()) {
      return withoutSavepoint(
          result.isEmpty() ? "none was complete in time" : result.get(0).failure(),
          cluster.rest().lastCheckpoint(id));
    }
    String path = result.get(0).path();
    cluster.rememberSavepoint(job.get().name(), path);
    Waiting.until(() -> cluster.rest().job().isEmpty(), SAVEPOINT);
    news.accept("The job was stopped with savepoint " + path + ".");
    return Optional.of(path);
  }

  private Optional<String> withoutSavepoint(String why, Optional<LastCheckpoint> last) {
    news.accept(
        "No savepoint could be taken (%s). The next up recovers the job from its last checkpoint%s."
            .formatted(why, last.map(it -> ", " + it.path()).orElse("")));
    return Optional.empty();
  }

  /**
   * Ends the processes for good: those that depend on the brokers first, all at once, for each
   * takes seconds.
   */
  public void processes() {
    cluster.retire();
    end(cluster.members());
  }

  /** Ends some members, in the order of {@link #processes}; they may be started again. */
  void end(List<ClusterProcess> members) {
    List<ClusterProcess> last = new ArrayList<>(members);
    Collections.reverse(last);
    List<String> ended = last.stream().filter(cluster::isAlive).map(ClusterProcess::name).toList();
    last.stream().filter(ClusterProcess::needsBrokers).forEach(cluster::signal);
    for (ClusterProcess clusterProcess : last) {
      cluster.end(clusterProcess);
    }
    news.accept(
        ended.isEmpty() ? "No process was running." : "Ended " + String.join(", ", ended) + ".");
  }
}
