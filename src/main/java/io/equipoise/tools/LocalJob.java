package io.equipoise.tools;

import io.equipoise.event.Counted;
import io.equipoise.job.options.StartRefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.checkpoint.RestoredCheckpointStats;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.util.ExceptionUtils;

/** Observes and ends a job on a {@link LocalCluster}. */
public final class LocalJob {
  /** For each look the job manager copies all that it knows of the job. */
  private static final Duration POLL_PAUSE = Duration.ofMillis(100);

  private final MiniCluster cluster;
  private final JobID id;

  LocalJob(MiniCluster cluster, JobID id) {
    this.cluster = cluster;
    this.id = id;
  }

  public JobID id() {
    return id;
  }

  public JobStatus status() {
    return Futures.get(cluster.getJobStatus(id), "requesting the status of job " + id);
  }

  /**
   * Waits until every task of the job runs.
   *
   * @throws StartRefusedException if the job refuses to start, or does not run in time
   * @throws IllegalStateException if the job ends first
   */
  public void awaitRunning(Duration atMost) {
    var deadline = System.nanoTime() + atMost.toNanos();
    while (!isRunning()) {
      if (status().isGloballyTerminalState()) {
        throw neverRan();
      }
      if (System.nanoTime() > deadline) {
        throw new StartRefusedException(
            "Not all tasks of the job run",
            List.of(
                "they were restarted %s in %d s, and the log has the error that ended them; correct it and start again in the same way"
                    .formatted(Counted.of(restarts(), "times"), atMost.toSeconds())));
      }
      LockSupport.parkNanos(POLL_PAUSE.toNanos());
    }
  }

  /** Returns the highest restart count of all tasks. */
  public int restarts() {
    int most = 0;
    for (var task : graph().getAllExecutionVertices()) {
      most = Math.max(most, task.getCurrentExecutionAttempt().getAttemptNumber());
    }
    return most;
  }

  /** Waits until the job has ended in any way; the result contains the failure, if any. */
  public JobResult awaitEnd(Duration atMost) {
    return Futures.get(cluster.requestJobResult(id), atMost, "waiting for the end of job " + id);
  }

  /** Cancels the job, without a savepoint, and waits until it has ended. */
  public void cancel() {
    requestCancel();
    awaitEnd(Futures.PATIENCE);
  }

  /** Cancels the job and returns when no checkpoint can complete any more, before it has ended. */
  void requestCancel() {
    Futures.get(cluster.cancelJob(id), "cancelling job " + id);
  }

  /**
   * Stops the job with a canonical savepoint below a directory and returns the savepoint's path.
   *
   * <p>Never drains: draining sends the final watermark, and every pending decision would expire.
   */
  public String stopWithSavepoint(Path directory) {
    return stopWithSavepoint(directory.toUri().toString());
  }

  /** As {@link #stopWithSavepoint(Path)}, on any file system. */
  String stopWithSavepoint(String directory) {
    var savepoint = cluster.stopWithSavepoint(id, directory, false, SavepointFormatType.CANONICAL);
    var path = Futures.get(savepoint, "stopping job " + id + " with a savepoint");
    awaitEnd(Futures.PATIENCE);
    return path;
  }

  /** Takes a canonical savepoint below a directory without stopping the job; returns its path. */
  public String savepoint(Path directory) {
    var savepoint =
        cluster.triggerSavepoint(
            id, directory.toUri().toString(), false, SavepointFormatType.CANONICAL);
    return Futures.get(savepoint, "taking a savepoint of job " + id);
  }

  /**
   * Returns the path of the newest complete checkpoint, or of the restored one if none is complete.
   */
  Optional<String> lastCheckpoint() {
    CheckpointStatsSnapshot checkpoints = graph().getCheckpointStatsSnapshot();
    if (checkpoints == null) {
      return Optional.empty();
    }
    CompletedCheckpointStats complete = checkpoints.getHistory().getLatestCompletedCheckpoint();
    if (complete != null) {
      return Optional.ofNullable(complete.getExternalPath());
    }
    return Optional.ofNullable(checkpoints.getLatestRestoredCheckpoint())
        .map(RestoredCheckpointStats::getExternalPath);
  }

  /** Takes a checkpoint, waits until it is complete and returns its path. */
  public String checkpoint() {
    return Futures.get(cluster.triggerCheckpoint(id), "taking a checkpoint of job " + id);
  }

  private AccessExecutionGraph graph() {
    return Futures.get(cluster.getExecutionGraph(id), "requesting the tasks of job " + id);
  }

  private IllegalStateException neverRan() {
    ClassLoader classes = LocalJob.class.getClassLoader();
    Optional<Throwable> failure =
        awaitEnd(Futures.PATIENCE)
            .getSerializedThrowable()
            .map(serialized -> serialized.deserializeError(classes));
    Optional<StartRefusedException> refused =
        failure.flatMap(
            it ->
                ExceptionUtils.findThrowableSerializedAware(
                    it, StartRefusedException.class, classes));
    return refused.isPresent()
        ? refused.get()
        : new IllegalStateException(
            "job " + id + " is " + status() + " and never ran", failure.orElse(null));
  }

  private boolean isRunning() {
    if (status() != JobStatus.RUNNING) {
      return false;
    }
    for (var task : graph().getAllExecutionVertices()) {
      if (task.getExecutionState() != ExecutionState.RUNNING
          && task.getExecutionState() != ExecutionState.FINISHED) {
        return false;
      }
    }
    return true;
  }
}
