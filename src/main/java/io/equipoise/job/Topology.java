package io.equipoise.job;

import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Emission;
import java.time.Clock;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;

/**
 * Builds the job graph that the package description shows. The uids are part of the savepoint
 * contract and never change.
 */
public final class Topology {
  static final String CONTEXTS = "contexts";
  static final String REWARDS = "rewards";
  static final String SPECS = "specs";
  static final String SPEC_VALIDATION = "spec-validation";
  static final String CAUSAL_BOUNDS = "causal-bounds";
  static final String BOUNDS_VALIDATION = "bounds-validation";
  static final String CONTEXT_INGEST = "context-ingest";
  static final String REWARD_INGEST = "reward-ingest";
  static final String SEGMENT = "segment";

  private final StreamExecutionEnvironment env;
  private final JobConfig config;
  private final Clock clock;

  private Topology(StreamExecutionEnvironment env, JobConfig config, Clock clock) {
    this.env = env;
    this.config = config;
    this.clock = clock;
  }

  /**
   * Adds the job to an environment.
   *
   * @param partitions partition counts of the input topics; no source has more subtasks, because a
   *     subtask without a partition would hold back event time forever, see {@link InputEnumerator}
   * @param segment processes each segment's inputs: {@link SegmentFunction}
   */
  static void define(
      Endpoints endpoints,
      StreamExecutionEnvironment env,
      JobConfig config,
      InputPartitions partitions,
      Clock clock,
      KeyedBroadcastProcessFunction<String, Input, Control, Emission> segment) {
    new Topology(env, config, clock).buildGraph(endpoints, partitions, segment);
  }

  private void buildGraph(
      Endpoints endpoints,
      InputPartitions partitions,
      KeyedBroadcastProcessFunction<String, Input, Control, Emission> segment) {
    SingleOutputStreamOperator<Input> contexts =
        input(
            endpoints.contexts(),
            EventTime.ofContexts(config, clock),
            CONTEXTS,
            CONTEXT_INGEST,
            partitions.contexts());
    SingleOutputStreamOperator<Input> rewards =
        input(
            endpoints.rewards(),
            EventTime.ofRewards(config, clock),
            REWARDS,
            REWARD_INGEST,
            partitions.rewards());
    SingleOutputStreamOperator<Control> specs =
        control(
            endpoints.specs(), SPECS, SPEC_VALIDATION, new SpecValidation(CatalogLimit.of(config)));
    SingleOutputStreamOperator<Control> causalBounds =
        control(endpoints.causalBounds(), CAUSAL_BOUNDS, BOUNDS_VALIDATION, new BoundsValidation());
    BroadcastStream<Control> control =
        specs.union(causalBounds).broadcast(SegmentFunction.CONTROL, BroadcastBounds.STATE);

    contexts
        .union(rewards)
        .keyBy(Input::segment)
        .connect(control)
        .process(segment, StreamTypes.EMISSION)
        .uid(SEGMENT)
        .name("join, decide, learn, audit")
        .sinkTo(endpoints.outputs())
        .uid(Topics.OUTPUTS)
        .name("decisions, audit, segment events, metrics, dead letters");

    contexts
        .getSideOutput(ValidationFunction.REFUSED)
        .union(
            rewards.getSideOutput(ValidationFunction.REFUSED),
            specs.getSideOutput(ValidationFunction.REFUSED),
            causalBounds.getSideOutput(ValidationFunction.REFUSED))
        .sinkTo(endpoints.deadLetters())
        .uid(Topics.UNDECODABLE)
        .name("undecodable input");
  }

  private SingleOutputStreamOperator<Input> input(
      Source<Decoded, ?, ?> source,
      WatermarkStrategy<Decoded> time,
      String uid,
      String ingest,
      int partitions) {
    int parallelism = Math.min(env.getParallelism(), partitions);
    return env.fromSource(source, time, uid, StreamTypes.DECODED)
        .uid(uid)
        .setParallelism(parallelism)
        .process(new InputValidation(), StreamTypes.INPUT)
        .uid(ingest)
        .name("decode " + uid)
        .setParallelism(parallelism);
  }

  private SingleOutputStreamOperator<Control> control(
      KafkaSource<RawControl> source,
      String uid,
      String gateUid,
      ValidationFunction<RawControl, Control> validationFunction) {
    return env.fromSource(source, EventTime.ofControl(), uid, StreamTypes.RAW_CONTROL)
        .uid(uid)
        .setParallelism(1)
        .process(validationFunction, StreamTypes.CONTROL)
        .uid(gateUid)
        .name("check " + uid)
        .setParallelism(1);
  }

  /** Holds the partition counts of the input topics. */
  record InputPartitions(int contexts, int rewards) {}
}
