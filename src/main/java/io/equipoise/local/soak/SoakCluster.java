package io.equipoise.local.soak;

import io.equipoise.job.JobConfig;
import io.equipoise.job.JobOptions;
import io.equipoise.local.Directories;
import io.equipoise.local.EmbeddedBroker;
import io.equipoise.local.LocalRun;
import io.equipoise.local.demo.ShippedSpecs;
import io.equipoise.spec.PolicyName;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.jspecify.annotations.Nullable;

/** A broker and the running job, whose one spec covers all segments; gone when it is closed. */
final class SoakCluster implements AutoCloseable {
  private static final int PARALLELISM = 2;

  private final Path directory;
  private final EmbeddedBroker broker;
  private final LocalRun run;
  private final JobConfig config;
  private final SegmentSpec spec;

  private SoakCluster(
      Path directory, EmbeddedBroker broker, LocalRun run, JobConfig config, SegmentSpec spec) {
    this.directory = directory;
    this.broker = broker;
    this.run = run;
    this.config = config;
    this.spec = spec;
  }

  /** Starts everything and waits until the job runs. */
  static SoakCluster start(SoakPlan plan, Configuration given) throws InterruptedException {
    Path directory = temporary();
    EmbeddedBroker broker = null;
    try {
      SegmentSpec spec = spec(plan, directory);
      broker = EmbeddedBroker.start();
      Configuration settings = new Configuration();
      settings.set(CoreOptions.DEFAULT_PARALLELISM, PARALLELISM);
      settings.set(JobOptions.PARTITIONS, PARALLELISM);
      settings.addAll(given);
      settings.set(JobOptions.DEPLOYMENT, "soak");
      settings.set(JobOptions.SPECS, List.of(directory.toString()));
      settings.setString("kafka.bootstrap.servers", broker.bootstrapServers());
      LocalRun run = LocalRun.start(settings, null);
      return new SoakCluster(directory, broker, run, JobConfig.from(settings), spec);
    } catch (RuntimeException | InterruptedException e) {
      stop(broker, directory);
      throw e;
    }
  }

  /** Makes the campaign's UCB spec one for all segments, with short horizons and the rule. */
  private static SegmentSpec spec(SoakPlan plan, Path directory) {
    ShippedSpecs.writeTo(directory, List.of(PolicyName.UCB), null);
    Path file = directory.resolve("email-ucb.yaml");
    String horizon = SoakPlan.HORIZON.toSeconds() + "s";
    try {
      String text =
          Files.readString(file)
              .replaceFirst("(?m)^segments:.*$", "segments: default")
              .replaceFirst("(?m)^  reward-window: .*$", "  reward-window: " + horizon)
              .replaceFirst(
                  "(?m)^  early-reward-timeout: .*$", "  early-reward-timeout: " + horizon)
              .replaceFirst("(?m)^  dedup-window: .*$", "  dedup-window: " + horizon);
      if (plan.keep() != null) {
        text +=
            "\nidle-state: {after: %ds, retain: %s}\n"
                .formatted(plan.idleAfter().toSeconds(), plan.keep().wire());
      }
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the spec to " + file, e);
    }
    return SpecFiles.load(file).get(0);
  }

  JobConfig config() {
    return config;
  }

  SegmentSpec spec() {
    return spec;
  }

  LocalRun run() {
    return run;
  }

  @Override
  public void close() {
    try {
      run.close();
    } finally {
      stop(broker, directory);
    }
  }

  private static void stop(@Nullable EmbeddedBroker broker, Path directory) {
    if (broker != null) {
      broker.close();
    }
    Directories.delete(directory);
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("equipoise-soak-");
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory for the soak", e);
    }
  }
}
