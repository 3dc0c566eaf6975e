package io.equipoise.job;

import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.job.control.BoundsPublisher;
import io.equipoise.job.control.SpecPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Consumers;
import io.equipoise.job.topics.TopicSetup;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** One deployment on a broker and a cluster, with ordinary Kafka clients on both of its ends. */
public final class TestDeployment implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(100);
  static final Duration PATIENCE = Duration.ofSeconds(60);

  public final Topics topics;
  private final EmbeddedBroker broker;
  private final LocalCluster cluster;
  private final Map<String, String> settings = new HashMap<>();
  private final KafkaProducer<byte[], byte[]> producer;
  private final TopicCopies committed = new TopicCopies(() -> Consumers.committed(clients()));
  private final TopicCopies written =
      new TopicCopies(() -> Consumers.uncommitted(clients(), Map.of()));
  private final List<LocalJob> jobs = new ArrayList<>();
  private boolean isWaiting = true;
  private volatile @Nullable Exception unsent;
  private int drains;

  TestDeployment(EmbeddedBroker broker, LocalCluster cluster, String name) {
    this.broker = broker;
    this.cluster = cluster;
    this.topics = new Topics(name);
    settings.put("equipoise.deployment", name);
    settings.put("kafka.bootstrap.servers", broker.bootstrapServers());
    settings.put("kafka.metric.reporters", ""); // no beans, of which each client has hundreds
    settings.put("execution.checkpointing.interval", "200 ms");
    settings.put("equipoise.partitions", "2");
    settings.put("equipoise.time.max-lag", "3650 d"); // events of tests have fixed times,
    settings.put("equipoise.time.idle-timeout", "3650 d"); // and only these move event time
    settings.put("equipoise.time.max-append-delay", "3650 d");
    settings.put("restart-strategy.type", "none");
    settings.put("equipoise.warm-up", "0 ms");
    Properties large = clients();
    large.setProperty("max.request.size", Integer.toString(8 << 20));
    producer = new KafkaProducer<>(large, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Commits the ends of the contexts for the job, which does so after its last checkpoint if ever.
   */
  void commitContexts() {
    Map<String, String> ofJob = Map.of("group.id", topics.consumerGroup());
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(clients(), ofJob)) {
      List<TopicPartition> all = Consumers.partitions(consumer, topics.contexts());
      consumer.assign(all);
      consumer.seekToEnd(all);
      all.forEach(consumer::position);
      consumer.commitSync();
    }
  }

  public TestDeployment with(String option, String value) {
    settings.put(option, value);
    return this;
  }

  /** Leaves checkpoints to the test. Without the pause, Flink takes the first at a random time. */
  public TestDeployment withoutPeriodicCheckpoints() {
    return with("execution.checkpointing.interval", "2 min")
        .with("execution.checkpointing.min-pause", "2 min")
        .with("execution.checkpointing.tolerable-failed-checkpoints", "2"); // fits 15 min of Kafka
  }

  /** Sends contexts and rewards without waiting for the broker, for tests that send many. */
  TestDeployment withoutWaiting() {
    isWaiting = false;
    return this;
  }

  public JobConfig config() {
    return JobConfig.from(Configuration.fromMap(settings));
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** Returns the settings as options of a verb. */
  List<String> arguments() {
    return settings.entrySet().stream()
        .map(setting -> "-D" + setting.getKey() + "=" + setting.getValue())
        .toList();
  }

  /** Creates the topics and publishes specs, as the launcher does. */
  public TestDeployment publish(String... specs) throws InterruptedException {
    try (Admin admin = Admin.create(clients())) {
      new TopicSetup(admin, config()).prepare();
    }
    forgetTopics();
    return republish(specs);
  }

  /** Adds partitions to a topic, up to a total. */
  void addPartitions(String topic, int total) throws InterruptedException, ExecutionException {
    try (Admin admin = Admin.create(clients())) {
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total))).all().get();
    }
    forgetTopics();
  }

  /** Has the next reads ask for topics and partitions, which may be others than before. */
  private void forgetTopics() {
    committed.close();
    written.close();
  }

  /** Has the input topics keep the timestamps that producers send. */
  void withTimesOfProducers() throws InterruptedException, ExecutionException {
    AlterConfigOp own =
        new AlterConfigOp(
            new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime"),
            AlterConfigOp.OpType.SET);
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    for (String topic : topics.inputs()) {
      changes.put(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(own));
    }
    try (Admin admin = Admin.create(clients())) {
      admin.incrementalAlterConfigs(changes).all().get();
    }
  }

  /** Publishes specs under topics that are there. */
  TestDeployment republish(String... specs) throws InterruptedException {
    List<SegmentSpec> parsed = Stream.of(specs).map(SpecParser::parse).toList();
    new SpecPublisher(config()).publish(parsed);
    return this;
  }

  /** Publishes causal bounds under topics that are there. */
  TestDeployment publish(CausalBoundSet set) {
    new BoundsPublisher(config()).publish(set);
    return this;
  }

  /** Runs until every source has reached the end that its topic has now, and event time its own. */
  public void runToTheEnd(int parallelism) throws InterruptedException {
    LocalJob job = submit(parallelism, null, Endpoints.Bounds.LATEST_AT_START);
    job.awaitEnd(PATIENCE).getSerializedThrowable().ifPresent(TestDeployment::fail);
    awaitCommitted();
  }

  public LocalJob start(int parallelism, @Nullable String savepoint) throws InterruptedException {
    LocalJob job = submit(parallelism, savepoint, Endpoints.Bounds.NONE);
    job.awaitRunning(PATIENCE);
    return job;
  }

  private LocalJob submit(int parallelism, @Nullable String savepoint, Endpoints.Bounds bounds)
      throws InterruptedException {
    producer.flush();
    JobConfig config = config();
    Configuration flink = new Configuration(config.flink());
    flink.set(CoreOptions.DEFAULT_PARALLELISM, parallelism);
    if (savepoint != null) {
      flink.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    }
    StreamExecutionEnvironment env = cluster.environment(flink);
    EquipoiseJob.prepare(config, env, bounds);
    LocalJob job = cluster.submit(env, "test " + topics.deployment());
    jobs.add(job);
    return job;
  }

  public void context(String segment, String id, long time, Map<String, Object> attributes) {
    input(
        topics.contexts(),
        segment,
        Wire.CONTEXT.encode(new WireContext(id, segment, time, attributes, null, null)));
  }

  public void reward(
      String segment, String id, long time, double value, Map<String, Object> mediators) {
    input(
        topics.rewards(),
        segment,
        Wire.REWARD.encode(new WireReward(id, null, segment, time, value, mediators, null)));
  }

  private void input(String topic, String segment, byte[] value) {
    if (isWaiting) {
      send(topic, segment, value);
      return;
    }
    Future<RecordMetadata> unused = // the callback keeps what fails
        producer.send(
            new ProducerRecord<>(topic, segment.getBytes(StandardCharsets.UTF_8), value),
            (metadata, problem) -> unsent = problem == null ? unsent : problem);
  }

  public RecordMetadata send(String topic, String key, byte @Nullable [] value) {
    return send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value));
  }

  public RecordMetadata send(ProducerRecord<byte[], byte[]> record) {
    try {
      return producer.send(record).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("topic " + record.topic() + " took no record", e);
    }
  }

  /** Returns the decisions, without the markers of writer epochs. */
  public List<Decision> decisions() {
    return read(topics.decisions()).stream()
        .filter(record -> record.value() != null)
        .map(record -> Wire.DECISION.decode(record.value()))
        .toList();
  }

  public List<SegmentEvent> segmentEvents() {
    return read(topics.segmentEvents()).stream()
        .map(r -> Wire.SEGMENT_EVENT.decode(r.value()))
        .toList();
  }

  public List<FairnessAudit> audits() {
    return read(topics.audit()).stream().map(r -> Wire.AUDIT.decode(r.value())).toList();
  }

  List<ExperimentRecord> experiments() {
    return read(topics.experiments()).stream().map(r -> Wire.EXPERIMENT.decode(r.value())).toList();
  }

  List<SegmentMetrics> metrics() {
    return read(topics.metrics()).stream().map(r -> Wire.METRICS.decode(r.value())).toList();
  }

  public List<DeadLetter> deadLetters() {
    return read(topics.deadLetter()).stream().map(r -> Wire.DEAD_LETTER.decode(r.value())).toList();
  }

  /** Polls decisions until there are as many as wanted, or fails at the deadline. */
  public List<Decision> awaitDecisions(int wanted) {
    return await(this::decisions, decisions -> decisions.size() >= wanted);
  }

  /**
   * Sends one more decision and its reward in each of some segments, and waits until they were
   * learned from: then all that was sent before into their partitions has been read, also by a job
   * that was killed after the last answer. Decisions alone say nothing of the rewards.
   */
  void drain(String... segments) {
    int drain = drains++;
    long now = System.currentTimeMillis();
    Set<String> last = new HashSet<>();
    for (String segment : segments) {
      String id = "last-" + drain + "-" + segment;
      last.add(id);
      context(segment, id, now, Map.of("S", "a", "X", "low"));
      reward(segment, id, now, 0.5, Map.of("M", "1"));
    }
    await(
        () ->
            segmentEvents().stream()
                .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.REWARD_APPLIED)
                .map(SegmentEvent::decisionId)
                .collect(Collectors.toSet()),
        applied -> applied.containsAll(last));
  }

  /** Waits until no transaction hides a record of the outputs: a commit is told before it shows. */
  public void awaitCommitted() {
    try (Consumer<byte[], byte[]> committed = Consumers.committed(clients());
        Consumer<byte[], byte[]> all = Consumers.uncommitted(clients(), Map.of())) {
      for (String topic : topics.outputs()) {
        List<TopicPartition> partitions = partitions(all, topic);
        await(
            () -> committed.endOffsets(partitions).equals(all.endOffsets(partitions)),
            areEqual -> areEqual);
      }
    }
  }

  private static List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  public static <T> T await(Supplier<T> source, Predicate<T> isEnough) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    T found = source.get();
    while (!isEnough.test(found)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time; last seen: " + found);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      found = source.get();
    }
    return found;
  }

  /**
   * Waits until the job has written a number of decisions, committed or not. A savepoint of that
   * moment or later has their contexts as read; a sent context alone may not have been read yet.
   */
  void awaitWritten(int wanted) {
    await(
        () ->
            written.read(topics.decisions()).stream()
                .filter(record -> record.value() != null)
                .map(record -> Wire.DECISION.decode(record.value()).decisionId())
                .toList(),
        ids -> ids.size() >= wanted);
  }

  /** Reads all that is committed on a topic now, partition by partition. */
  public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    return committed.read(topic);
  }

  /** Returns a consumer at the start of all partitions of a topic; the caller closes it. */
  Consumer<byte[], byte[]> follow(String topic) {
    Consumer<byte[], byte[]> consumer = Consumers.committed(clients());
    List<TopicPartition> partitions = partitions(consumer, topic);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  private Properties clients() {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", broker.bootstrapServers());
    properties.setProperty("metric.reporters", "");
    return properties;
  }

  private static void fail(Throwable cause) {
    throw new AssertionError("the job failed", cause);
  }

  /** Cancels what still runs: other tests use the same cluster. */
  @Override
  public void close() {
    for (LocalJob job : jobs) {
      if (!job.status().isGloballyTerminalState()) {
        job.cancel();
      }
    }
    forgetTopics();
    producer.close();
    if (unsent != null) {
      throw new AssertionError("a context or reward was not sent", unsent);
    }
  }
}
