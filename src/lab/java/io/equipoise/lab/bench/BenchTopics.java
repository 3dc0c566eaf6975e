package io.equipoise.lab.bench;

import io.equipoise.event.LogTopic;
import io.equipoise.job.control.SpecPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.TopicSetup;
import io.equipoise.tools.RecordSender;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Writes and reads the topics of one measured deployment: the inputs of its workload and the output
 * of its jobs.
 */
final class BenchTopics implements AutoCloseable {
  private static final Duration LONGEST_RUN = Duration.ofMinutes(30);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Workload workload;
  private final Configuration settings;
  private final JobConfig config;
  private final Admin admin;
  private final Clock clock = Clock.systemUTC();

  private BenchTopics(Workload workload, Configuration settings) {
    this.workload = workload;
    this.settings = settings;
    this.config = JobConfig.from(settings);
    this.admin = Admin.create(config.kafka());
  }

  /**
   * Connects to the topics of a deployment.
   *
   * @param brokers bootstrap servers
   * @param deployment its name
   * @param parallelism of its job; also the number of partitions of each topic
   * @param settings further options of the job and of Flink
   */
  static BenchTopics of(
      Workload workload,
      String brokers,
      String deployment,
      int parallelism,
      Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("equipoise.deployment", deployment);
    all.put("equipoise.partitions", Integer.toString(parallelism));
    all.put("kafka.bootstrap.servers", brokers);
    all.put("parallelism.default", Integer.toString(parallelism));
    return new BenchTopics(workload, Configuration.fromMap(all));
  }

  /** Creates the topics and publishes the spec of the workload. */
  void create() throws InterruptedException {
    new TopicSetup(admin, config).prepare();
    new SpecPublisher(config).publish(List.of(workload.spec()));
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

  /** Waits until a checkpoint of an unbounded job covers all inputs. */
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

  CommittedOutput committed() throws InterruptedException {
    Map<TopicPartition, Long> start = ends();
    start.replaceAll((partition, end) -> 0L);
    return committed(start);
  }

  /** Reads the committed output from given offsets on. */
  CommittedOutput committed(Map<TopicPartition, Long> start) {
    return CommittedOutput.read(config.kafka(), start, outputs());
  }

  /** Deletes the committed offsets and the output of the job. */
  void forget() throws InterruptedException {
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

  Map<TopicPartition, Long> ends() throws InterruptedException {
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

  private Map<String, LogTopic> outputs() {
    Map<String, LogTopic> outputs = new HashMap<>();
    for (LogTopic output : LogTopic.OUTPUTS) {
      outputs.put(config.topics().of(output), output);
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

  @Override
  public void close() {
    admin.close();
  }
}
