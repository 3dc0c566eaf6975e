package io.equipoise.local.demo;

import io.equipoise.job.Delivery;
import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.JobConfig;
import io.equipoise.job.JobOptions;
import io.equipoise.local.Directories;
import io.equipoise.local.EmbeddedBroker;
import io.equipoise.local.LocalCluster;
import io.equipoise.local.LocalJob;
import io.equipoise.spec.PolicyName;
import io.equipoise.spec.SegmentSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.jspecify.annotations.Nullable;

/** The broker, the cluster and the running job of the demo; all gone when it is closed. */
final class DemoCluster implements AutoCloseable {
  static final String DEPLOYMENT = "demo";

  private static final int PARTITIONS = 2;
  private static final int SLOTS = 2;

  /** An answer takes about this long, if it is given exactly once. */
  /** The demo plays at a time of its own, {@link SimulatedTime}. */
  private static final Duration MAX_LAG = Duration.ofDays(36_500);

  private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(250);

  private static final Duration BUFFER_TIMEOUT = Duration.ofMillis(10);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path directory;
  private final EmbeddedBroker broker;
  private final LocalCluster cluster;
  private final LocalJob job;
  private final JobConfig config;
  private final List<SegmentSpec> specs;

  private DemoCluster(
      Path directory,
      EmbeddedBroker broker,
      LocalCluster cluster,
      LocalJob job,
      JobConfig config,
      List<SegmentSpec> specs) {
    this.directory = directory;
    this.broker = broker;
    this.cluster = cluster;
    this.job = job;
    this.config = config;
    this.specs = specs;
  }

  /** Starts everything and waits until the job runs. */
  static DemoCluster start(List<PolicyName> policies, @Nullable Double tau, Delivery delivery)
      throws InterruptedException {
    Path directory = temporary();
    EmbeddedBroker broker = null;
    LocalCluster cluster = null;
    try {
      Path specDirectory = Files.createDirectories(directory.resolve("specs"));
      List<SegmentSpec> specs = ShippedSpecs.writeTo(specDirectory, policies, tau);
      broker = EmbeddedBroker.start();
      JobConfig config =
          JobConfig.from(settings(broker.bootstrapServers(), specDirectory, directory, delivery));
      cluster = LocalCluster.start(config.flink(), SLOTS);
      var environment = cluster.environment(config.flink());
      EquipoiseJob.prepare(config, environment);
      LocalJob job = cluster.submit(environment, "equipoise " + DEPLOYMENT);
      job.awaitRunning(PATIENCE);
      return new DemoCluster(directory, broker, cluster, job, config, specs);
    } catch (IOException e) {
      stop(cluster, broker, directory);
      throw new UncheckedIOException("cannot lay out " + directory, e);
    } catch (RuntimeException | InterruptedException e) {
      stop(cluster, broker, directory);
      throw e;
    }
  }

  JobConfig config() {
    return config;
  }

  /** Returns the specs in the order of the policies. */
  List<SegmentSpec> specs() {
    return specs;
  }

  LocalJob job() {
    return job;
  }

  int partitions() {
    return PARTITIONS;
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  String webInterface() {
    return cluster.webInterface().toString();
  }

  @Override
  public void close() {
    if (!job.status().isGloballyTerminalState()) {
      job.cancel();
    }
    stop(cluster, broker, directory);
  }

  private static void stop(
      @Nullable LocalCluster cluster, @Nullable EmbeddedBroker broker, Path directory) {
    if (cluster != null) {
      cluster.close();
    }
    if (broker != null) {
      broker.close();
    }
    Directories.delete(directory);
  }

  private static Configuration settings(
      String bootstrapServers, Path specs, Path directory, Delivery delivery) {
    Configuration settings = new Configuration();
    settings.set(JobOptions.DEPLOYMENT, DEPLOYMENT);
    settings.set(JobOptions.SPECS, List.of(specs.toString()));
    settings.set(JobOptions.PARTITIONS, PARTITIONS);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_INTERVAL);
    settings.set(JobOptions.MAX_LAG, MAX_LAG);
    settings.setString("kafka.bootstrap.servers", bootstrapServers);
    settings.set(JobOptions.DELIVERY, delivery);
    if (delivery == Delivery.EXACTLY_ONCE) {
      settings.set(ExecutionOptions.BUFFER_TIMEOUT, BUFFER_TIMEOUT);
    }
    String checkpoints = directory.resolve("checkpoints").toUri().toString();
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints);
    return settings;
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("equipoise-demo-");
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory for the demo", e);
    }
  }
}
