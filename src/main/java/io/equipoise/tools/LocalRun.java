package io.equipoise.tools;

import io.equipoise.cli.Failures;
import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.runtime.client.JobInitializationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Runs the job with a user's Kafka cluster, on a Flink cluster in this JVM.
 *
 * <p>Checkpoints go to {@code execution.checkpointing.dir} and savepoints to {@code
 * execution.checkpointing.savepoint-dir}, by default below the directory that the caller names.
 * Nothing here deletes them. Flink keeps the last checkpoint of a job that was cancelled or failed,
 * and deletes it only after a savepoint has replaced it.
 *
 * <p>State: whether a cancellation was requested, and when the cluster last had a task manager.
 */
public final class LocalRun implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration RECONNECTION = Duration.ofSeconds(10);
  private static final String CHECKPOINTS = "checkpoints";

  private final LocalCluster cluster;
  private final LocalJob job;
  private final Configuration flink;
  private boolean isCancelled;
  private long workedAt = System.nanoTime();

  private LocalRun(LocalCluster cluster, LocalJob job, Configuration flink) {
    this.cluster = cluster;
    this.job = job;
    this.flink = flink;
  }

  /**
   * Checks, publishes, submits, and waits until the job runs.
   *
   * @param savepoint initial state of the job, a savepoint or checkpoint; null for none
   * @param state directory for checkpoints and savepoints, unless the configuration names others
   * @throws StartRefusedException if configuration, topics or the initial state prevent the start
   * @throws io.equipoise.segmentspec.SpecException if spec files are invalid
   */
  public static LocalRun start(Configuration given, @Nullable String savepoint, Path state)
      throws InterruptedException {
    JobConfig config = JobConfig.from(given);
    Configuration flink = new Configuration(config.flink());
    if (savepoint != null) {
      flink.set(StateRecoveryOptions.SAVEPOINT_PATH, location(savepoint));
    }
    if (!flink.contains(StateRecoveryOptions.SAVEPOINT_PATH)) {
      EquipoiseJob.refuseForgetting(config);
    }
    setIfMissing(flink, CheckpointingOptions.CHECKPOINTS_DIRECTORY, state.resolve(CHECKPOINTS));
    setIfMissing(flink, CheckpointingOptions.SAVEPOINT_DIRECTORY, state);
    int slots =
        flink
            .getOptional(CoreOptions.DEFAULT_PARALLELISM)
            .orElse(Runtime.getRuntime().availableProcessors());
    flink.set(CoreOptions.DEFAULT_PARALLELISM, slots);
    // The cluster loads classes while the checks wait for the brokers.
    CompletableFuture<LocalCluster> starting =
        CompletableFuture.supplyAsync(
            () -> LocalCluster.start(flink, slots),
            start -> new Thread(start, "local-cluster-start").start());
    try {
      var environment = new StreamExecutionEnvironment(new Configuration(flink));
      EquipoiseJob.prepare(config, environment);
      LocalCluster cluster = started(starting);
      LocalJob job = cluster.submit(environment, EquipoiseJob.name(config.topics().deployment()));
      awaitRunning(job, flink);
      return new LocalRun(cluster, job, flink);
    } catch (RuntimeException | InterruptedException e) {
      LocalCluster cluster = starting.exceptionally(failure -> null).join();
      if (cluster != null) {
        cluster.close();
      }
      throw e;
    }
  }

  /** Refuses settings that Flink cannot start with, such as a port in use. */
  private static LocalCluster started(CompletableFuture<LocalCluster> starting) {
    try {
      return Futures.get(starting, "starting the local Flink cluster");
    } catch (IllegalStateException e) {
      Throwable cause = Failures.root(e);
      if (cause instanceof BindException
          || cause instanceof IllegalArgumentException
          || cause instanceof IllegalConfigurationException) {
        throw new StartRefusedException(
            "The start is refused",
            List.of(
                "the local Flink cluster does not start (%s); check rest.port and rest.bind-port, and who has these ports"
                    .formatted(Failures.words(cause))));
      }
      throw e;
    }
  }

  private static void awaitRunning(LocalJob job, Configuration flink) {
    try {
      job.awaitRunning(PATIENCE);
    } catch (IllegalStateException e) {
      String from = flink.get(StateRecoveryOptions.SAVEPOINT_PATH);
      if (from == null
          || ExceptionUtils.findThrowable(e, JobInitializationException.class).isEmpty()) {
        throw e;
      }
      throw new StartRefusedException(
          "The start is refused",
          List.of(
              "the job cannot continue from '%s' (%s); --from needs the directory of a complete savepoint or checkpoint; a running job deletes its older checkpoints"
                  .formatted(from, Failures.words(Failures.root(e)))));
    }
  }

  /** Returns the address of Flink's web page. */
  public URI webInterface() {
    return cluster.webInterface();
  }

  /** Returns the directory to which Flink writes checkpoints, as the configuration names it. */
  public String checkpoints() {
    return flink.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY);
  }

  /** Returns whether the job has ended, which it does by itself only on failure. */
  public boolean hasEnded() {
    return job.status().isGloballyTerminalState();
  }

  /**
   * Returns whether the task manager has ended, so that the job cannot run any more. One that is
   * only disconnected for a moment has not.
   */
  public boolean hasLostTaskManager() {
    if (cluster.taskManagers() > 0) {
      workedAt = System.nanoTime();
    }
    return System.nanoTime() - workedAt > RECONNECTION.toNanos();
  }

  /** Ends the task manager abruptly and starts no other. */
  void endTaskManager() {
    cluster.endTaskManager();
  }

  /** Returns why the job ended, once it has. */
  public Optional<String> failure() {
    return job.awaitEnd(PATIENCE)
        .getSerializedThrowable()
        .map(failure -> failure.getFullStringifiedStackTrace());
  }

  /** Returns the highest restart count of the tasks of the job. */
  public int restarts() {
    return job.restarts();
  }

  /**
   * Stops the job with a savepoint, without draining; returns its path.
   *
   * @throws IllegalStateException if there is no savepoint; {@link #cancel} then returns the state
   */
  public String stopWithSavepoint() {
    return job.stopWithSavepoint(flink.get(CheckpointingOptions.SAVEPOINT_DIRECTORY));
  }

  /**
   * Begins to cancel the job, if it still runs. Returns the path of its last complete checkpoint,
   * which stays; empty if there is none.
   */
  public Optional<String> cancel() {
    if (!isCancelled && !hasEnded()) {
      isCancelled = true;
      job.requestCancel();
    }
    return job.lastCheckpoint();
  }

  /** Ends the job, if it still runs, and the cluster. */
  @Override
  public void close() {
    try {
      cancel();
      job.awaitEnd(PATIENCE);
    } finally {
      cluster.close();
    }
  }

  private static void setIfMissing(Configuration flink, ConfigOption<String> option, Path value) {
    if (!flink.contains(option)) {
      flink.set(option, value.toAbsolutePath().toUri().toString());
    }
  }

  /** Accepts a local path or a URI of any file system. */
  private static String location(String savepoint) {
    return Files.exists(Path.of(savepoint)) ? Path.of(savepoint).toUri().toString() : savepoint;
  }
}
