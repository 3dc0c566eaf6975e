package io.equipoise.tools.bench;

import com.sun.management.OperatingSystemMXBean;
import io.equipoise.event.Input;
import io.equipoise.job.EquipoiseJob;
import io.equipoise.job.SegmentFunction;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.SpecPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Emission;
import io.equipoise.job.topics.Emission.Output;
import io.equipoise.job.topics.TopicSetup;
import io.equipoise.tools.Directories;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import io.equipoise.tools.RecordSender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * A broker, a cluster and the topics of one workload, in this process. Bounded jobs read the same
 * inputs again and again: the output of each run is read and then deleted. Unbounded jobs run until
 * the caller ends them.
 */
final class BenchDeployment implements AutoCloseable {
  private static final Duration LONGEST_RUN = Duration.ofMinutes(30);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(20);

  private final MeteredBroker broker;
  private final LocalCluster cluster;
  private final Workload workload;
  private final Path checkpoints;
  private final Configuration settings;
  private final JobConfig config;
  private final Admin admin;
  private final Clock clock = Clock.systemUTC();

  private BenchDeployment(
      MeteredBroker broker,
      LocalCluster cluster,
      Workload workload,
      Configuration settings,
      JobConfig config,
      Path dir) {
    this.broker = broker;
    this.cluster = cluster;
    this.workload = workload;
    this.settings = settings;
    this.config = config;
    this.checkpoints = dir;
    this.admin = Admin.create(config.kafka());
  }

  /**
   * Starts a broker and a cluster, creates the topics and publishes the spec.
   *
   * @param parallelism of the job; also the number of partitions of each topic
   * @param settings further options of the job and of Flink
   */
  static BenchDeployment start(Workload workload, int parallelism, Map<String, String> settings)
      throws InterruptedException {
    Path checkpoints = temporary();
    MeteredBroker broker = MeteredBroker.start();
    Map<String, String> all = new HashMap<>(settings);
    all.put("equipoise.deployment", "bench");
    all.put("equipoise.partitions", Integer.toString(parallelism));
    all.put("kafka.bootstrap.servers", broker.bootstrapServers());
    all.put("parallelism.default", Integer.toString(parallelism));
    all.put("execution.checkpointing.dir", checkpoints.toUri().toString());
    all.put("restart-strategy.type", "none");
    Configuration given = Configuration.fromMap(all);
    JobConfig config = JobConfig.from(given);
    LocalCluster cluster = LocalCluster.start(config.flink(), parallelism);
    BenchDeployment started =
        new BenchDeployment(broker, cluster, workload, given, config, checkpoints);
    new TopicSetup(started.admin, config).prepare();
    new SpecPublisher(config).publish(List.of(workload.spec()));
    return started;
  }

  /** Returns the options of the deployment. */
  Configuration settings() {
    return settings;
  }

  JobConfig config() {
    return config;
  }

  Workload workload() {
    return workload;
  }

  /** Writes all inputs. */
  void fill() {
    // In the past, so that no event time is in the future, whatever the clock does meanwhile.
    long start = clock.millis() - 2 * workload.span().toMillis();
    try (RecordSender sender =
        new RecordSender(config, Map.of(), PATIENCE, new RecordSender.Listener() {})) {
      for (int i = 0; i < workload.contexts(); i++) {
        sender.send(workload.segment(i), workload.context(i, start + workload.contextOffset(i)));
        sender.send(workload.segment(i), workload.reward(i, start + workload.rewardOffset(i)));
      }
      sender.flush();
    }
  }

  /**
   * Runs a job over all inputs.
   *
   * @param recordTemplates output of the identity jobs; null only for the full job
   */
  JobRun run(JobRun.Job job, @Nullable RecordTemplates recordTemplates)
      throws InterruptedException {
    Map<TopicPartition, Long> start = ends();
    long cpu = cpuMillis();
    long brokerCpu = broker.cpuMillis();
    submit(job, recordTemplates, null, true)
        .awaitEnd(LONGEST_RUN)
        .getSerializedThrowable()
        .ifPresent(
            cause -> {
              throw new IllegalStateException("the " + job + " job failed", cause);
            });
    long end = clock.millis();
    cpu = cpuMillis() - cpu;
    brokerCpu = broker.cpuMillis() - brokerCpu;
    CommittedOutput committed = CommittedOutput.read(config.kafka(), start, outputs());
    forget();
    return new JobRun(
        job,
        workload.inputs(),
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
    Configuration flink = new Configuration(config.flink());
    if (checkpoint != null) {
      flink.set(StateRecoveryOptions.SAVEPOINT_PATH, checkpoint);
    }
    StreamExecutionEnvironment env = cluster.environment(flink);
    EquipoiseJob.prepare(config, env, function(job, recordTemplates), isBounded);
    return cluster.submit(env, "bench " + job);
  }

  private KeyedBroadcastProcessFunction<String, Input, Control, Emission> function(
      JobRun.Job job, @Nullable RecordTemplates recordTemplates) {
    if (job == JobRun.Job.FULL || recordTemplates == null) {
      return SegmentFunction.of(config, clock);
    }
    return new IdentityFunction(recordTemplates, job == JobRun.Job.IDENTITY);
  }

  /** Waits until a checkpoint of the unbounded job covers all inputs. */
  void awaitRead() throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST_RUN.toNanos();
    long read = 0;
    while (read < workload.inputs()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "the job has read %d of %d inputs after %s"
                .formatted(read, workload.inputs(), LONGEST_RUN));
      }
      Thread.sleep(POLL.toMillis());
      var committed = admin.listConsumerGroupOffsets(config.topics().consumerGroup());
      read =
          get(committed.partitionsToOffsetAndMetadata()).values().stream()
              .mapToLong(offset -> offset == null ? 0 : offset.offset())
              .sum();
    }
  }

  /** Reads all committed output. */
  CommittedOutput committed() throws InterruptedException {
    Map<TopicPartition, Long> start = ends();
    start.replaceAll((partition, end) -> 0L);
    return CommittedOutput.read(config.kafka(), start, outputs());
  }

  /** Returns the port of Flink's REST interface. */
  int restPort() {
    return cluster.webInterface().getPort();
  }

  /** Deletes the committed offsets and the output of the job. */
  private void forget() throws InterruptedException {
    Map<TopicPartition, RecordsToDelete> written = new HashMap<>();
    ends().forEach((p, end) -> written.put(p, RecordsToDelete.beforeOffset(end)));
    get(admin.deleteRecords(written).all());
    try {
      admin.deleteConsumerGroups(List.of(config.topics().consumerGroup())).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw new IllegalStateException("cannot delete the consumer group", e.getCause());
      }
    }
  }

  private Map<TopicPartition, Long> ends() throws InterruptedException {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (String topic : outputs().keySet()) {
      for (int partition = 0; partition < config.partitions(); partition++) {
        latest.put(new TopicPartition(topic, partition), OffsetSpec.latest());
      }
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    get(admin.listOffsets(latest).all()).forEach((p, end) -> ends.put(p, end.offset()));
    return ends;
  }

  private Map<String, Output> outputs() {
    Map<String, Output> outputs = new HashMap<>();
    for (Output output : Output.values()) {
      outputs.put(output.in(config.topics()), output);
    }
    return outputs;
  }

  private static <T> T get(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker rejected a request of the benchmark", e);
    }
  }

  /** Ends the jobs, the cluster and the broker, and deletes all data. */
  @Override
  public void close() {
    admin.close();
    cluster.close();
    broker.close();
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
}
