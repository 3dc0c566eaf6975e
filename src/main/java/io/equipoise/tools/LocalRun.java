package io.equipoise.tools;

import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.options.JobConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The job with a user's Kafka cluster, on a Flink cluster in this JVM.
 *
 * <p>Checkpoints go to {@code execution.checkpointing.dir}, by default to a temporary directory
 * that is deleted on close. So a failed task recovers, but a later run needs a savepoint.
 */
public final class LocalRun implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final LocalJob job;
  private final @Nullable Path temporary;

  private LocalRun(LocalCluster cluster, LocalJob job, @Nullable Path temporary) {
    this.cluster = cluster;
    this.job = job;
    this.temporary = temporary;
  }

  /**
   * Checks, publishes, submits, and waits until the job runs.
   *
   * @param savepoint initial state of the job; null for none
   * @throws io.equipoise.job.options.StartRefusedException if configuration or topics prevent the
   *     start
   * @throws io.equipoise.segmentspec.SpecException if spec files are invalid
   */
  public static LocalRun start(Configuration given, @Nullable String savepoint)
      throws InterruptedException {
    JobConfig config = JobConfig.from(given);
    Configuration flink = new Configuration(config.flink());
    if (savepoint != null) {
      flink.set(StateRecoveryOptions.SAVEPOINT_PATH, location(savepoint));
    }
    if (!flink.contains(StateRecoveryOptions.SAVEPOINT_PATH)) {
      EquipoiseJob.refuseForgetting(config);
    }
    Path temporary = null;
    if (!flink.contains(CheckpointingOptions.CHECKPOINTS_DIRECTORY)) {
      temporary = temporary();
      flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, temporary.toUri().toString());
    }
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
      LocalCluster cluster = Futures.get(starting, "starting the local Flink cluster");
      LocalJob job = cluster.submit(environment, "equipoise " + config.topics().deployment());
      job.awaitRunning(PATIENCE);
      return new LocalRun(cluster, job, temporary);
    } catch (RuntimeException | InterruptedException e) {
      end(starting.exceptionally(failure -> null).join(), temporary);
      throw e;
    }
  }

  /** Returns the address of Flink's web page. */
  public URI webInterface() {
    return cluster.webInterface();
  }

  /** Returns whether the job has ended, which it does by itself only on failure. */
  public boolean hasEnded() {
    return job.status().isGloballyTerminalState();
  }

  /** Returns why the job ended, once it has. */
  public Optional<String> failure() {
    return job.awaitEnd(PATIENCE)
        .getSerializedThrowable()
        .map(failure -> failure.getFullStringifiedStackTrace());
  }

  /** Returns the restart count of the job. */
  public int restarts() {
    return job.restarts();
  }

  /** Stops the job with a savepoint below a directory, without draining; returns its path. */
  public String stopWithSavepoint(Path directory) {
    return job.stopWithSavepoint(directory);
  }

  /** Ends the job, if it still runs, and the cluster. */
  @Override
  public void close() {
    if (!hasEnded()) {
      job.cancel();
    }
    end(cluster, temporary);
  }

  private static void end(@Nullable LocalCluster cluster, @Nullable Path temporary) {
    try {
      if (cluster != null) {
        cluster.close();
      }
    } finally {
      if (temporary != null) {
        Directories.delete(temporary);
      }
    }
  }

  /** Accepts a local path or a URI of any file system. */
  private static String location(String savepoint) {
    return Files.exists(Path.of(savepoint)) ? Path.of(savepoint).toUri().toString() : savepoint;
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("equipoise-checkpoints-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a temporary directory for checkpoints", e);
    }
  }
}
