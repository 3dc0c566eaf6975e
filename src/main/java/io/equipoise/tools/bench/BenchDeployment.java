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
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A deployment whose input topics are filled once and read from the beginning by every run. The
 * output of each run is read and then deleted.
 */
final class BenchDeployment implements AutoCloseable {
  private static final Duration LONGEST_RUN = Duration.ofMinutes(30);

  /** Keeps event times in the past, whatever the clock does meanwhile. */
  private static final Duration AGE = Workload.SPAN.multipliedBy(2);

  private final LocalCluster cluster;
  private final Workload workload;
  private final Path checkpoints;
  private final JobConfig config;
  private final Properties clients = new Properties();
  private final Clock clock = Clock.systemUTC();

  BenchDeployment(EmbeddedBroker broker, LocalCluster cluster, Workload workload, int parallelism)
      throws IOException {
    this.cluster = cluster;
    this.workload = workload;
    this.checkpoints = Files.createTempDirectory("equipoise-checkpoints-");
    this.config =
        JobConfig.from(
            Configuration.fromMap(
                Map.of(
                    "equipoise.deployment",
                    "bench",
                    "equipoise.partitions",
                    Integer.toString(parallelism),
                    "kafka.bootstrap.servers",
                    broker.bootstrapServers(),
                    "parallelism.default",
                    Integer.toString(parallelism),
                    "execution.checkpointing.dir",
                    checkpoints.toUri().toString(),
                    "restart-strategy.type",
                    "none")));
    clients.putAll(config.kafka());
  }

  JobConfig config() {
    return config;
  }

  /** Creates the topics, publishes the spec and writes all inputs. */
  void fill() throws InterruptedException {
    try (Admin admin = Admin.create(clients)) {
      new TopicSetup(admin, config).prepare();
    }
    new SpecPublisher(config).publish(List.of(workload.spec()));
    long start = clock.millis() - AGE.toMillis();
    List<Future<RecordMetadata>> sent = new ArrayList<>(workload.inputs());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(clients, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < workload.contexts(); i++) {
        byte[] key = workload.segment(i).getBytes(StandardCharsets.UTF_8);
        String contexts = config.topics().contexts();
        sent.add(producer.send(new ProducerRecord<>(contexts, key, workload.context(i, start))));
        String rewards = config.topics().rewards();
        sent.add(producer.send(new ProducerRecord<>(rewards, key, workload.reward(i, start))));
      }
    }
    for (Future<RecordMetadata> record : sent) {
      get(record);
    }
  }

  /**
   * Runs a job over all inputs.
   *
   * @param recordTemplates output of the identity jobs; null only for the full job
   */
  JobRun run(JobRun.Job job, @Nullable RecordTemplates recordTemplates)
      throws InterruptedException {
    try (Admin admin = Admin.create(clients)) {
      Map<TopicPartition, Long> start = ends(admin);
      long cpu = cpuMillis();
      StreamExecutionEnvironment env = cluster.environment(config.flink());
      EquipoiseJob.prepareToTheEnd(config, env, function(job, recordTemplates));
      LocalJob submitted = cluster.submit(env, "bench " + job);
      submitted
          .awaitEnd(LONGEST_RUN)
          .getSerializedThrowable()
          .ifPresent(
              cause -> {
                throw new IllegalStateException("the " + job + " job failed", cause);
              });
      long end = clock.millis();
      cpu = cpuMillis() - cpu;
      CommittedOutput committedOutput = CommittedOutput.read(clients, start, outputs());
      forget(admin);
      return new JobRun(
          job,
          workload.inputs(),
          end - committedOutput.firstWritten(),
          committedOutput.lastWritten() - committedOutput.firstWritten(),
          cpu,
          committedOutput);
    }
  }

  private KeyedBroadcastProcessFunction<String, Input, Control, Emission> function(
      JobRun.Job job, @Nullable RecordTemplates recordTemplates) {
    if (job == JobRun.Job.FULL || recordTemplates == null) {
      return SegmentFunction.of(config, clock);
    }
    return new IdentityFunction(recordTemplates, job == JobRun.Job.IDENTITY);
  }

  /** Deletes the committed offsets and the output of the job. */
  private void forget(Admin admin) throws InterruptedException {
    Map<TopicPartition, RecordsToDelete> written = new HashMap<>();
    ends(admin).forEach((p, end) -> written.put(p, RecordsToDelete.beforeOffset(end)));
    get(admin.deleteRecords(written).all());
    try {
      admin.deleteConsumerGroups(List.of(config.topics().consumerGroup())).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw new IllegalStateException("cannot delete the consumer group", e.getCause());
      }
    }
  }

  private Map<TopicPartition, Long> ends(Admin admin) throws InterruptedException {
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
    return Map.of(
        config.topics().decisions(), Output.DECISIONS,
        config.topics().audit(), Output.AUDIT,
        config.topics().experiments(), Output.EXPERIMENTS,
        config.topics().segmentEvents(), Output.SEGMENT_EVENTS,
        config.topics().metrics(), Output.METRICS,
        config.topics().deadLetter(), Output.DEAD_LETTER);
  }

  private static <T> T get(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker rejected a request of the benchmark", e);
    }
  }

  @Override
  public void close() {
    Directories.delete(checkpoints);
  }

  private static long cpuMillis() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return TimeUnit.NANOSECONDS.toMillis(system.getProcessCpuTime());
  }
}
