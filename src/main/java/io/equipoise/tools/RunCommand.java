package io.equipoise.tools;

import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.options.ConfigFile;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.segmentspec.SpecException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The verb {@code run}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the job against your Kafka cluster until it is interrupted.",
      "It uses a Flink cluster in this process unless execution.target names another. To submit"
          + " to your own cluster, use `flink run equipoise-job.jar` with the same --config and -D."
    })
public final class RunCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(500);

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Launch launch = new Launch();

  @Option(
      names = "--local",
      description = "Uses a Flink cluster in this process and ignores execution.target.")
  private boolean isLocal;

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description = "Starts from the state of a savepoint.")
  private @Nullable String savepoint;

  @Option(
      names = "--savepoint-dir",
      paramLabel = "DIR",
      description =
          "When interrupted, takes a savepoint below this directory and prints its path. Pass it"
              + " to a later run of the deployment with --from.")
  private @Nullable Path savepointDirectory;

  /** Returns the exit code. */
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
      command.commandLine().getErr().println("equipoise run: " + e.getMessage());
      return 1;
    }
  }

  private int runHere(Configuration given) throws InterruptedException {
    PrintWriter out = command.commandLine().getOut();
    try (StopSignal stop = new StopSignal();
        LocalRun run = LocalRun.start(given, savepoint)) {
      out.println(
          "The job is running. Flink's web page is %s. Ctrl-C stops the job, with%s a savepoint."
              .formatted(run.webInterface(), savepointDirectory == null ? "out" : ""));
      out.flush();
      while (!stop.await(POLL)) {
        if (run.hasEnded()) {
          Optional<String> failure = run.failure();
          failure.ifPresent(why -> command.commandLine().getErr().println(why));
          return failure.isPresent() ? 1 : 0;
        }
      }
      if (savepointDirectory != null) {
        out.println("savepoint: " + run.stopWithSavepoint(savepointDirectory));
        out.flush();
      }
      return 0;
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
