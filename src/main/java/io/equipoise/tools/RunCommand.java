package io.equipoise.tools;

import io.equipoise.cli.Failures;
import io.equipoise.cli.Verb;
import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.options.ConfigFile;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.segmentspec.SpecException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the job against a user's Kafka cluster: the verb {@code run}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the job against your Kafka cluster until it is interrupted.",
      "It uses a Flink cluster in this process unless execution.target names another. To submit"
          + " to your own cluster, use `flink run equipoise-job.jar` with the same --config and -D."
    })
public final class RunCommand extends Verb {
  private static final Duration POLL = Duration.ofMillis(500);

  @Mixin private Launch launch = new Launch();

  @Option(
      names = "--local",
      description = "Uses a Flink cluster in this process and ignores execution.target.")
  private boolean isLocal;

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description = "Starts from the state of a savepoint or checkpoint.")
  private @Nullable String savepoint;

  @Option(
      names = "--savepoint-dir",
      paramLabel = "DIR",
      description =
          "Keeps checkpoints and savepoints below this directory. Default: DEPLOYMENT-state beside"
              + " the --config file. When interrupted, the job stops with a savepoint and prints its"
              + " path. Pass it to a later run of the deployment with --from.")
  private @Nullable Path stateDirectory;

  @Override
  public Integer call() throws Exception {
    try {
      Configuration given = launch.configuration();
      if (isLocal || !given.contains(DeploymentOptions.TARGET)) {
        return runHere(withLocalDefaults(given));
      }
      if (savepoint != null) {
        given.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
      }
      EquipoiseJob.submit(given);
      return 0;
    } catch (StartRefusedException | SpecException | IllegalArgumentException e) {
      return failed(1, "equipoise run: " + e.getMessage());
    }
  }

  private int runHere(Configuration given) throws InterruptedException {
    Path state = stateDirectory(given);
    try (StopSignal stop = new StopSignal()) {
      stop.endAtOnce(
          () ->
              warn(
                  "equipoise run: interrupted before the job ran. %sStart again in the same way."
                      .formatted(
                          savepoint == null ? "" : "Its state is kept: " + savepoint + ". ")));
      return run(LocalRun.start(given, savepoint, state), stop);
    }
  }

  private int run(LocalRun started, StopSignal stop) throws InterruptedException {
    stop.endAtOnce(null);
    try (LocalRun run = started) {
      say(
          "The job is running. Flink's web page is %s. Its checkpoints are in %s. Ctrl-C stops the job with a savepoint."
              .formatted(run.webInterface(), run.checkpoints()));
      int exitCode = watch(run, () -> stop.await(POLL));
      if (exitCode != 0) {
        stop.fail();
      }
      return exitCode;
    }
  }

  /** Waits a moment; returns whether the job shall stop. */
  interface StopRequest {
    boolean await() throws InterruptedException;
  }

  /** Waits until the job shall stop and stops it, or until it fails; returns the exit code. */
  int watch(LocalRun run, StopRequest stop) throws InterruptedException {
    while (!stop.await()) {
      if (run.hasEnded()) {
        Optional<String> failure = run.failure();
        failure.ifPresent(why -> complain(why, run));
        return failure.isPresent() ? 1 : 0;
      }
      if (run.hasLostTaskManager()) {
        complain("no task manager is left; the log has the error that ended it", run);
        return 1;
      }
    }
    try {
      say("savepoint: " + run.stopWithSavepoint());
      return 0;
    } catch (IllegalStateException e) {
      complain("the job did not stop with a savepoint: " + Failures.root(e), run);
      return 1;
    }
  }

  /** Cancels the job and prints an error and how to continue from the last checkpoint. */
  private void complain(String error, LocalRun run) {
    warn("equipoise run: " + error);
    warn(
        run.cancel()
            .map(
                path ->
                    "The last checkpoint is kept: %s. To continue: equipoise run --from %s, and the other options as before"
                        .formatted(path, path))
            .orElse("No checkpoint was completed. Start again in the same way."));
  }

  /**
   * Returns the directory of the deployment's state.
   *
   * @throws StartRefusedException if there is a state to continue from and no place for the next
   */
  private Path stateDirectory(Configuration given) {
    if (stateDirectory != null) {
      return stateDirectory;
    }
    String deployment = JobConfig.from(given).topics().deployment();
    Path file = launch.file();
    if (file != null) {
      return file.resolveSibling(deployment + "-state");
    }
    if (given.contains(CheckpointingOptions.CHECKPOINTS_DIRECTORY)) {
      return Path.of(deployment + "-state");
    }
    if (savepoint != null
        || given.contains(StateRecoveryOptions.SAVEPOINT_PATH)
        || given.get(JobOptions.ALLOW_EMPTY_STATE)) {
      throw new StartRefusedException(
          "The start is refused",
          List.of(
              "deployment %s has a history and this run has no directory for its state; set --savepoint-dir, or name a file with --config"
                  .formatted(deployment)));
    }
    try {
      return Files.createTempDirectory("equipoise-" + deployment + "-state-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a directory; set --savepoint-dir", e);
    }
  }

  /** Flink's settings in the distribution, which the user's settings override. */
  private static Configuration withLocalDefaults(Configuration given) {
    String home = System.getProperty("equipoise.home");
    Path file = home == null ? null : Path.of(home, "conf", "config.yaml");
    if (file == null || !Files.isReadable(file)) {
      return given;
    }
    Configuration merged = ConfigFile.read(file);
    merged.addAll(given);
    return merged;
  }
}
