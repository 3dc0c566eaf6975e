package io.equipoise.job;

import io.equipoise.event.Decision;
import io.equipoise.event.Input;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.ControlSource;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecText;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.FlinkSettings;
import io.equipoise.job.options.PrivacyOptions;
import io.equipoise.job.options.SegmentLimits;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Emission;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/** One subtask of the segment operator in Flink's harness. */
@SuppressWarnings("try")
public // closing a harness is interruptible
final class SegmentHarness
    extends KeyedBroadcastOperatorTestHarness<String, Input, Control, Emission> {
  static final int MAX_PARALLELISM = FlinkSettings.MAX_PARALLELISM;

  /** Topics of inputs that no state is compared with. */
  static final InputTopics NO_INPUTS = new InputTopics(Map.of(), Map.of(), Map.of());

  /** Compares what is restored with no topics. */
  static final StartConditions UNCHECKED =
      new StartConditions(
          new Topics("harness"),
          () -> {},
          false,
          false,
          false,
          () -> NO_INPUTS,
          Delivery.AT_LEAST_ONCE,
          () -> new MemoryTopics(new Topics("harness")));

  public static final long ORIGIN = 1_700_000_000_000L;
  static final SegmentLimits ANY_NUMBER = new SegmentLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** The state backends that the job may run on. */
  enum Backend {
    HASHMAP,
    ROCKSDB;

    StateBackend make() {
      return this == HASHMAP ? new HashMapStateBackend() : new EmbeddedRocksDBStateBackend();
    }
  }

  private final int parallelism;
  private final int subtask;

  SegmentHarness(Backend backend, int parallelism, int subtask, List<? extends Control> controls)
      throws Exception {
    this(backend, parallelism, subtask, controls, null);
  }

  /** Makes one that keeps numbers of segments at most. */
  SegmentHarness(
      int parallelism, int subtask, List<? extends Control> controls, SegmentLimits limits)
      throws Exception {
    this(
        Backend.HASHMAP,
        parallelism,
        subtask,
        controls,
        UNCHECKED,
        new CatalogLimit(1 << 20),
        limits,
        null);
  }

  /** Makes one whose decisions must fit in records of a size. */
  public SegmentHarness(List<? extends Control> controls, CatalogLimit limit) throws Exception {
    this(Backend.HASHMAP, 1, 0, controls, UNCHECKED, limit, ANY_NUMBER, null);
  }

  /** Makes one that compares what it restores with topics. */
  SegmentHarness(
      int parallelism,
      int subtask,
      List<? extends Control> controls,
      StartConditions startConditions)
      throws Exception {
    this(
        Backend.HASHMAP,
        parallelism,
        subtask,
        controls,
        startConditions,
        new CatalogLimit(1 << 20),
        ANY_NUMBER,
        null);
  }

  /**
   * Makes one whose delivery is at-least-once, unless there is nothing to find earlier answers in.
   */
  SegmentHarness(
      Backend backend,
      int parallelism,
      int subtask,
      List<? extends Control> controls,
      @Nullable RecoverySettings earlier)
      throws Exception {
    this(
        backend,
        parallelism,
        subtask,
        controls,
        UNCHECKED,
        new CatalogLimit(1 << 20),
        ANY_NUMBER,
        earlier);
  }

  /** Makes one whose delivery is at-least-once and that compares what it restores with topics. */
  SegmentHarness(
      List<? extends Control> controls, StartConditions startConditions, RecoverySettings earlier)
      throws Exception {
    this(
        Backend.HASHMAP,
        1,
        0,
        controls,
        startConditions,
        new CatalogLimit(1 << 20),
        ANY_NUMBER,
        earlier);
  }

  /** Makes one whose delivery is at-least-once and that keeps numbers of segments at most. */
  SegmentHarness(List<? extends Control> controls, SegmentLimits limits, RecoverySettings earlier)
      throws Exception {
    this(Backend.HASHMAP, 1, 0, controls, UNCHECKED, new CatalogLimit(1 << 20), limits, earlier);
  }

  private SegmentHarness(
      Backend backend,
      int parallelism,
      int subtask,
      List<? extends Control> controls,
      StartConditions startConditions,
      CatalogLimit limit,
      SegmentLimits segmentLimits,
      @Nullable RecoverySettings earlier)
      throws Exception {
    super(
        new CoBroadcastWithKeyedOperator<>(
            new SegmentFunction(
                new FixedControls(List.copyOf(controls)),
                Clock.fixed(Instant.ofEpochMilli(ORIGIN), ZoneOffset.UTC),
                PrivacyOptions.PLAIN,
                startConditions,
                limit,
                segmentLimits,
                earlier),
            List.of(SegmentFunction.CONTROL, BroadcastBounds.STATE)),
        Input::segment,
        Types.STRING,
        MAX_PARALLELISM,
        parallelism,
        subtask);
    this.parallelism = parallelism;
    this.subtask = subtask;
    getExecutionConfig()
        .getSerializerConfig()
        .configure(
            new Configuration().set(PipelineOptions.GENERIC_TYPES, false),
            getClass().getClassLoader());
    setStateBackend(backend.make());
  }

  public void start(@Nullable OperatorSubtaskState state) throws Exception {
    setup(StreamTypes.EMISSION.createSerializer(getExecutionConfig().getSerializerConfig()));
    if (state == null) {
      initializeEmptyState();
    } else {
      initializeState(state);
    }
    open();
  }

  boolean owns(String segment) {
    return KeyGroupRangeAssignment.assignKeyToParallelOperator(
            segment, MAX_PARALLELISM, parallelism)
        == subtask;
  }

  /** Counts the keys that have anything in a state. */
  long keys(String state) {
    try (var keys = getOperator().getKeyedStateBackend().getKeys(state, VoidNamespace.INSTANCE)) {
      return keys.distinct().count();
    }
  }

  /** Returns the number of dead letters with a code. */
  long deadLetters(String code) {
    return extractOutputValues().stream()
        .filter(emission -> emission.output() == LogTopic.DEAD_LETTER)
        .filter(emission -> Wire.DEAD_LETTER.decode(emission.value()).code().equals(code))
        .count();
  }

  public List<Decision> decisions() {
    return extractOutputValues().stream()
        .filter(emission -> emission.output() == LogTopic.DECISIONS)
        .map(emission -> Wire.DECISION.decode(emission.value()))
        .toList();
  }

  public List<SegmentEvent> segmentEvents() {
    return extractOutputValues().stream()
        .filter(emission -> emission.output() == LogTopic.SEGMENT_EVENTS)
        .map(emission -> Wire.SEGMENT_EVENT.decode(emission.value()))
        .toList();
  }

  List<SegmentEventType> kinds() {
    return segmentEvents().stream().map(SegmentEvent::type).toList();
  }

  /** What is found on the control topics, without a broker. */
  private record FixedControls(List<Control> controls) implements ControlSource {
    @Override
    public List<Control> read(Function<String, @Nullable String> accepted) {
      return controls;
    }

    @Override
    public boolean hasRead(RawControl record) {
      return controls.stream().anyMatch(control -> control.raw().equals(record));
    }

    @Override
    public Keys keys() {
      if (controls.isEmpty()) {
        return new Keys(null, null); // as of topics that were made again
      }
      Set<String> specs = new HashSet<>();
      Set<String> causalBounds = new HashSet<>();
      for (Control control : controls) {
        if (control instanceof SpecText spec) {
          specs.add(spec.key());
        } else {
          causalBounds.add(
              new String(((CausalBoundRecord) control).raw().key(), StandardCharsets.UTF_8));
        }
      }
      return new Keys(specs, causalBounds);
    }
  }
}
