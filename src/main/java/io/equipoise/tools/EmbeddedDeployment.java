package io.equipoise.tools;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.JobOptions;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/** Runs a broker and the job of a deployment in this JVM. Closing it deletes all data. */
public final class EmbeddedDeployment implements AutoCloseable {
  private final Path directory;
  private final EmbeddedBroker broker;
  private final LocalRun run;
  private final Configuration settings;
  private final JobConfig config;
  private final List<SegmentSpec> specs;

  private EmbeddedDeployment(
      Path directory,
      EmbeddedBroker broker,
      LocalRun run,
      Configuration settings,
      List<SegmentSpec> specs) {
    this.directory = directory;
    this.broker = broker;
    this.run = run;
    this.settings = settings;
    config = JobConfig.from(settings);
    this.specs = specs;
  }

  /**
   * Starts everything and waits until the job runs.
   *
   * @param name of the deployment
   * @param settings of the job; the broker address, the specs and the name are added
   * @param writer writes the specs into a directory and returns them
   */
  public static EmbeddedDeployment start(
      String name, Configuration settings, Function<Path, List<SegmentSpec>> writer)
      throws InterruptedException {
    Path directory = temporary(name);
    EmbeddedBroker broker = null;
    try {
      List<SegmentSpec> specs = writer.apply(directory);
      broker = EmbeddedBroker.start();
      Configuration all = new Configuration(settings);
      all.set(JobOptions.DEPLOYMENT, name);
      all.set(JobOptions.SPECS, List.of(directory.toString()));
      all.setString("kafka.bootstrap.servers", broker.bootstrapServers());
      LocalRun run = LocalRun.start(all, null, directory.resolve("state"));
      return new EmbeddedDeployment(directory, broker, run, all, specs);
    } catch (RuntimeException | InterruptedException e) {
      stop(broker, directory);
      throw e;
    }
  }

  /** Returns a copy of the options, those that were added too. */
  public Configuration settings() {
    return new Configuration(settings);
  }

  public JobConfig config() {
    return config;
  }

  /** Returns the specs in write order. */
  public List<SegmentSpec> specs() {
    return specs;
  }

  public LocalRun run() {
    return run;
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
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

  private static Path temporary(String name) {
    try {
      return Files.createTempDirectory("equipoise-" + name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a temporary directory for " + name, e);
    }
  }
}
