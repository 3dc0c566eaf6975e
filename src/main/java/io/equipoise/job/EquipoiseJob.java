package io.equipoise.job;

import io.equipoise.event.Input;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.SpecPublisher;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.InputSkip;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.registry.Frames;
import io.equipoise.job.start.ConcurrentJobCheck;
import io.equipoise.job.start.DeliveryCheck;
import io.equipoise.job.start.EmptyStateCheck;
import io.equipoise.job.start.Launch;
import io.equipoise.job.start.RewardWindowCheck;
import io.equipoise.job.topics.Brokers;
import io.equipoise.job.topics.Emission;
import io.equipoise.job.topics.Permissions;
import io.equipoise.job.topics.TopicSetup;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the streaming job: checks configuration, specs and topics, publishes the specs and builds
 * the job graph. Main class of the job jar.
 */
public final class EquipoiseJob {
  private static final Logger LOG = LoggerFactory.getLogger(EquipoiseJob.class);
  static final String NAME = "equipoise";

  private EquipoiseJob() {}

  /**
   * Runs all checks, creates what is missing and adds the job to an environment.
   *
   * @param config the validated configuration
   * @param env receives the graph; must be created with {@code config.flink()}
   * @throws StartRefusedException if topics or specs prevent the start, with all reasons
   * @throws io.equipoise.segmentspec.SpecException if spec files are invalid, with all errors
   */
  public static void prepare(JobConfig config, StreamExecutionEnvironment env)
      throws InterruptedException {
    prepare(config, env, Endpoints.Bounds.NONE);
  }

  /**
   * Fails early with the errors that the job's first task would report. Only for callers that start
   * without state. A main class cannot know: a job manager may recover the job.
   *
   * @throws StartRefusedException if the brokers are unreachable or the deployment has a history
   */
  public static void refuseForgetting(JobConfig config) throws InterruptedException {
    Brokers.check(config.kafka());
    EmptyStateCheck.of(config).refuseForgetting();
  }

  /**
   * Checks what needs no broker: the redaction key and the spec files. Returns the specs.
   *
   * @throws StartRefusedException if the key is unusable
   * @throws io.equipoise.segmentspec.SpecException if spec files are invalid, with all errors
   */
  public static List<CompiledSpec> specs(JobConfig config) {
    config.privacy().check();
    return SpecFiles.load(config.specs(), CatalogLimit.of(config)::compiled);
  }

  static void prepare(JobConfig given, StreamExecutionEnvironment env, Endpoints.Bounds bounds)
      throws InterruptedException {
    Clock clock = Clock.systemUTC();
    JobConfig config = Frames.resolve(given);
    prepare(config, env, bounds, clock, SegmentFunction.of(config, clock));
  }

  /**
   * Builds the job with a replacement for {@link SegmentFunction}. Benchmarks compare the two.
   *
   * @param isBounded whether the job ends at the current end offsets
   */
  public static void prepare(
      JobConfig config,
      StreamExecutionEnvironment env,
      KeyedBroadcastProcessFunction<String, Input, Control, Emission> segment,
      boolean isBounded)
      throws InterruptedException {
    Endpoints.Bounds bounds = isBounded ? Endpoints.Bounds.LATEST_AT_START : Endpoints.Bounds.NONE;
    prepare(Frames.resolve(config), env, bounds, Clock.systemUTC(), segment);
  }

  private static void prepare(
      JobConfig config,
      StreamExecutionEnvironment env,
      Endpoints.Bounds bounds,
      Clock clock,
      KeyedBroadcastProcessFunction<String, Input, Control, Emission> segment)
      throws InterruptedException {
    List<CompiledSpec> specs = specs(config);
    Topology.InputPartitions partitions;
    try (Admin admin = Brokers.connect(config)) {
      TopicSetup.Report report = new TopicSetup(admin, config).prepare();
      report.created().forEach(topic -> LOG.info("Created topic {}", topic));
      report.remarks().forEach(LOG::warn);
      Permissions.check(admin, config);
      ConcurrentJobCheck rivals =
          new ConcurrentJobCheck(admin, config.topics(), config.checkpointInterval());
      if (config.delivery() == Delivery.EXACTLY_ONCE) {
        rivals.refuseRival();
        new DeliveryCheck(config.kafka(), config.topics().decisions()).refuseOtherBefore();
      } else {
        rivals.refuseWriter();
      }
      partitions = partitions(admin, config.topics());
      InputSkip.refuseBeyondEnds(
          admin,
          config.inputSkips(),
          Map.of(
              config.topics().contexts(),
              partitions.contexts(),
              config.topics().rewards(),
              partitions.rewards()));
    }
    for (CompiledSpec spec : specs) {
      RewardWindowCheck.warning(spec.spec(), config.maxOutage())
          .ifPresent(warning -> LOG.warn("Spec {}: {}", spec.spec().name(), warning));
    }
    publish(specs, config);
    Topology.define(Endpoints.of(config, clock, bounds), env, config, partitions, clock, segment);
  }

  /** Publishes the specs of the configuration; the topic may have newer versions by now. */
  private static void publish(List<CompiledSpec> specs, JobConfig config)
      throws InterruptedException {
    SpecHistory history = SpecHistory.read(config);
    List<SegmentSpec> newest = new ArrayList<>();
    for (CompiledSpec compiled : specs) {
      SegmentSpec spec = compiled.spec();
      if (history.isSuperseded(spec)) {
        LOG.info(
            "Skipped the file of spec {} version {}: the topic {} has version {}",
            spec.name(),
            spec.version(),
            config.topics().specs(),
            history.nextVersion(spec.name()) - 1);
      } else {
        newest.add(spec);
      }
    }
    new SpecPublisher(config).publish(newest, history, config.specs());
  }

  /** Runs the job on the cluster of the process's environment. */
  public static void main(String[] arguments) throws Exception {
    submit(Launch.configuration(arguments));
  }

  /**
   * Prepares the job and runs it on the cluster of the configuration or of the process.
   *
   * @throws StartRefusedException if configuration or topics prevent the start
   * @throws Exception if the cluster rejected the job or the job failed
   */
  public static void submit(Configuration given) throws Exception {
    JobConfig config = JobConfig.from(given);
    LOG.info("Starting {}", config);
    StreamExecutionEnvironment env = LoopbackFlink.environment(config.flink());
    prepare(config, env);
    env.execute(name(config.topics().deployment()));
  }

  /** Returns the name of a deployment's job in Flink. */
  public static String name(String deployment) {
    return NAME + " " + deployment;
  }

  private static Topology.InputPartitions partitions(Admin admin, Topics topics)
      throws InterruptedException {
    try {
      var described = admin.describeTopics(topics.inputs()).allTopicNames().get();
      return new Topology.InputPartitions(
          described.get(topics.contexts()).partitions().size(),
          described.get(topics.rewards()).partitions().size());
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "the topics " + topics.inputs() + " cannot be described: " + e.getCause().getMessage(),
          e);
    }
  }
}
