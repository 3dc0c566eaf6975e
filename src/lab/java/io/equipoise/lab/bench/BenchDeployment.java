package io.equipoise.lab.bench;

import com.sun.management.OperatingSystemMXBean;
import io.equipoise.event.Input;
import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.SegmentFunction;
import io.equipoise.job.control.Control;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Emission;
import io.equipoise.tools.Directories;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of one deployment, and possibly their broker, on a cluster in this process. Bounded
 * jobs read the same inputs again and again: the output of each run is read and then deleted.
 * Unbounded jobs run until the caller ends them.
 */
final class BenchDeployment implements AutoCloseable {
  private static final Duration LONGEST_RUN = Duration.ofMinutes(30);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final @Nullable MeteredBroker broker;
  private final BenchTopics topics;
  private final Path checkpoints;
  private final LocalCluster cluster;

  private BenchDeployment(@Nullable MeteredBroker broker, BenchTopics topics) {
    this.broker = broker;
    this.topics = topics;
    checkpoints = temporary();
    JobConfig config = topics.config();
    Configuration flink = new Configuration(config.flink());
    flink.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    cluster = LocalCluster.start(flink, config.partitions());
  }

  /**
   * Starts a broker and a cluster, creates the topics and publishes the spec.
   *
   * @param parallelism of the job; also the number of partitions of each topic
   * @param settings further options of the job and of Flink
   */
  static BenchDeployment start(Workload workload, int parallelism, Map<String, String> settings)
      throws InterruptedException {
    MeteredBroker broker = MeteredBroker.start();
    BenchTopics topics =
        BenchTopics.of(workload, broker.bootstrapServers(), "bench", parallelism, settings);
    BenchDeployment started = new BenchDeployment(broker, topics);
    topics.create();
    return started;
  }

  /** Starts a cluster for existing topics, which it closes at the end. */
  static BenchDeployment start(BenchTopics topics) {
    return new BenchDeployment(null, topics);
  }

  BenchTopics topics() {
    return topics;
  }

  /**
   * Runs a job over all inputs.
   *
   * @param recordTemplates output of the identity jobs; null only for the full job
   */
  JobRun run(JobRun.Job job, @Nullable RecordTemplates recordTemplates)
      throws InterruptedException {
    Map<TopicPartition, Long> start = topics.ends();
    long cpu = cpuMillis();
    long brokerCpu = brokerMillis();
    submit(job, recordTemplates, null, true)
        .awaitEnd(LONGEST_RUN)
        .getSerializedThrowable()
        .ifPresent(
            cause -> {
              throw new IllegalStateException("the " + job + " job failed", cause);
            });
    long end = Clock.systemUTC().millis();
    cpu = cpuMillis() - cpu;
    brokerCpu = brokerMillis() - brokerCpu;
    CommittedOutput committed = topics.committed(start);
    topics.forget();
    return new JobRun(
        job,
        topics.workload().inputs(),
        end - committed.firstWritten(),
        committed.lastWritten() - committed.firstWritten(),
        cpu,
        brokerCpu,
        committed);
  }

  /**
   * Starts a job that reads until it is cancelled, and waits until it runs.
   *
   * @param recordTemplates output of the identity job; null only for the full job
   * @param checkpoint state of the job; null for none
   */
  LocalJob start(
      JobRun.Job job, @Nullable RecordTemplates recordTemplates, @Nullable String checkpoint)
      throws InterruptedException {
    LocalJob started = submit(job, recordTemplates, checkpoint, false);
    started.awaitRunning(PATIENCE);
    return started;
  }

  private LocalJob submit(
      JobRun.Job job,
      @Nullable RecordTemplates recordTemplates,
      @Nullable String checkpoint,
      boolean isBounded)
      throws InterruptedException {
    Configuration settings = new Configuration();
    if (checkpoint != null) {
      settings.set(StateRecoveryOptions.SAVEPOINT_PATH, checkpoint);
    }
    StreamExecutionEnvironment env = cluster.environment(settings);
    EquipoiseJob.prepare(topics.config(), env, function(job, recordTemplates), isBounded);
    return cluster.submit(env, "bench " + job);
  }

  private KeyedBroadcastProcessFunction<String, Input, Control, Emission> function(
      JobRun.Job job, @Nullable RecordTemplates recordTemplates) {
    if (job == JobRun.Job.FULL || recordTemplates == null) {
      return SegmentFunction.of(topics.config(), Clock.systemUTC());
    }
    return new IdentityFunction(recordTemplates, job == JobRun.Job.IDENTITY);
  }

  /** Returns the port of Flink's REST interface. */
  int restPort() {
    return cluster.webInterface().getPort();
  }

  /** Ends the jobs, the cluster and the broker, and deletes all data. */
  @Override
  public void close() {
    topics.close();
    cluster.close();
    if (broker != null) {
      broker.close();
    }
    Directories.delete(checkpoints);
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("equipoise-checkpoints-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a temporary directory for checkpoints", e);
    }
  }

  private static long cpuMillis() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return TimeUnit.NANOSECONDS.toMillis(system.getProcessCpuTime());
  }

  private long brokerMillis() {
    return broker == null ? 0 : broker.cpuMillis();
  }
}
