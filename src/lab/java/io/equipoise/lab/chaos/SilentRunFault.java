package io.equipoise.lab.chaos;

import io.equipoise.job.options.ConfigFile;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Silences the broker under a job of another deployment that {@code equipoise run} keeps in one
 * process: it must decide again afterwards. Then stops that process while the broker is silent
 * again: it must fail and name its last checkpoint, and continue from it. An at-least-once job
 * whose outputs had all been acknowledged may complete its savepoint instead.
 *
 * @param silence longer than the transaction timeout
 */
record SilentRunFault(String name, Duration silence) implements Fault {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration LOAD = Duration.ofSeconds(15);
  private static final int PER_SECOND = 20;

  /** The exit code of a JVM that a termination signal ended in order. */
  private static final int SIGTERM_CODE = 143;

  private static final Pattern CHECKPOINT =
      Pattern.compile("The last checkpoint is kept: (\\S+?)\\. To continue");

  private static final Pattern SAVEPOINT = Pattern.compile("savepoint: (\\S+)");

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    Cluster cluster = context.cluster();
    int number = context.random().nextInt(1_000_000);
    String deployment = "%s-%d".formatted(name, number);
    Map<String, String> settings = new TreeMap<>(cluster.jobSettings());
    settings.put("equipoise.deployment", deployment);
    Configuration given = ConfigFile.read(Path.of(cluster.file().plan().config()));
    settings.forEach(given::setString);
    JobConfig config = JobConfig.from(given);
    List<String> seen = new ArrayList<>();
    @Nullable Process run = start(cluster, settings, deployment, null);
    try (Traffic traffic =
        new Traffic(
            config,
            SpecFiles.load(Path.of(cluster.file().plan().specs())),
            PER_SECOND,
            number,
            Clock.systemUTC())) {
      traffic.start(0, PATIENCE);
      Thread.sleep(LOAD.toMillis());
      context.signal(ClusterProcess.KAFKA, "STOP");
      Thread.sleep(silence.toMillis());
      context.signal(ClusterProcess.KAFKA, "CONT");
      traffic.truth().watch(System.nanoTime());
      if (!traffic.awaitDecision(PATIENCE)) {
        seen.add("equipoise run does not decide after the silence");
      }
      context
          .progress()
          .accept(
              "equipoise run decided %.1f s after the silence"
                  .formatted(traffic.truth().unwatch().toNanos() / 1e9));
      Thread.sleep(LOAD.toMillis());
      context.signal(ClusterProcess.KAFKA, "STOP");
      int code = stop(run);
      context.signal(ClusterProcess.KAFKA, "CONT");
      boolean isSaved = code == SIGTERM_CODE && config.delivery() == Delivery.AT_LEAST_ONCE;
      Matcher kept = (isSaved ? SAVEPOINT : CHECKPOINT).matcher(text(cluster, deployment));
      if ((code != 1 && !isSaved) || !kept.find()) {
        seen.add("equipoise run, stopped in silence, ends with " + code + " and no checkpoint");
        return new FaultEffect(System.nanoTime(), seen);
      }
      run = start(cluster, settings, deployment, kept.group(1));
      String missing = traffic.drain(PATIENCE);
      if (!missing.isEmpty()) {
        seen.add("equipoise run, started again: " + missing);
      }
      seen.addAll(LogVerifier.verify(config).violations());
      code = stop(run);
      if (code != SIGTERM_CODE) {
        seen.add("equipoise run ends with " + code);
      }
    } finally {
      context.signal(ClusterProcess.KAFKA, "CONT");
      run.destroyForcibly();
    }
    return new FaultEffect(System.nanoTime(), seen);
  }

  private static Process start(
      Cluster cluster, Map<String, String> settings, String deployment, @Nullable String from) {
    Path state = cluster.layout().directory().resolve(deployment);
    List<String> words =
        new ArrayList<>(
            List.of(
                cluster.distribution().home().resolve("bin/equipoise").toString(),
                "run",
                "--local",
                "--config",
                cluster.file().plan().config(),
                "--savepoint-dir",
                state.toString()));
    settings.forEach((key, value) -> words.addAll(List.of("-D", key + "=" + value)));
    if (from != null) {
      words.addAll(List.of("--from", from));
    }
    try {
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(cluster.layout().log(deployment).toFile()));
      builder.environment().put("EQUIPOISE_JAVA_OPTS", "-Xmx1g");
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start equipoise run", e);
    }
  }

  /** Asks a process to stop, as Ctrl-C does; returns its exit code, -1 if it goes on. */
  private static int stop(Process run) throws InterruptedException {
    run.destroy();
    return run.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) ? run.exitValue() : -1;
  }

  private static String text(Cluster cluster, String deployment) {
    try {
      return Files.readString(cluster.layout().log(deployment));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the log of equipoise run", e);
    }
  }
}
