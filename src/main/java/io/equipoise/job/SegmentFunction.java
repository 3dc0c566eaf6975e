package io.equipoise.job;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.job.control.BroadcastSpecRegistry;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.ControlBootstrap;
import io.equipoise.job.control.ControlSource;
import io.equipoise.job.control.ControlState;
import io.equipoise.job.control.SpecText;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.PrivacyOptions;
import io.equipoise.job.options.SegmentLimits;
import io.equipoise.job.topics.Emission;
import io.equipoise.privacy.Redactor;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.UnknownAttributes;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins, decides, learns and audits, segment by segment, as a thin adapter of {@link
 * SegmentMachine}.
 *
 * <p>With at-least-once delivery, each subtask begins a writer epoch, see {@link WriterEpochStart}.
 * Decisions that were published and are missing in the state are re-applied.
 *
 * <p>Specs and causal bounds arrive by broadcast and never touch keyed state; a segment adopts them
 * at its next event or timer. The control topics are read to their ends once before the first
 * element ({@link ControlBootstrap} in production), so that the first context finds its spec. The
 * sources deliver some of these records again, each after a part of the contexts. They are not
 * applied again: a spec that was retired later would be active in between.
 *
 * <p>State is keyed state ({@link KeyedSegmentState}), broadcast state (spec texts and rows of
 * bounds) and the operator states of {@link SubtaskLog}, {@link SubtaskWriterEpoch} and {@link
 * SegmentCount}. The two registries are derived from broadcast state: that of bounds with every
 * row, that of specs before the next input or timer after a new text. Flink calls all methods in
 * the task thread.
 */
public final class SegmentFunction
    extends KeyedBroadcastProcessFunction<String, Input, Control, Emission>
    implements CheckpointedFunction, CheckpointListener {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SegmentFunction.class);

  /** Spec texts by key of the specs topic. */
  static final MapStateDescriptor<String, String> CONTROL =
      new MapStateDescriptor<>("specs", StringSerializer.INSTANCE, StringSerializer.INSTANCE);

  /** Maximum characters of specs in a subtask: 4,095 specs, or 63 of maximum length. */
  static final long MOST_SPEC_CHARS = 64L << 20;

  /**
   * Characters that each spec counts in addition to its key and text, since every subtask compiles
   * it.
   */
  static final int CHARS_PER_SPEC = 16 << 10;

  /**
   * All subtasks receive the same control records; this one reports the invalid ones. It also
   * checks for all subtasks whether the job may begin: no checkpoint completes before it runs.
   */
  private static final int REPORTER = 0;

  /** The writer epoch of exactly-once output, where committed records are never withdrawn. */
  private static final WriterEpoch ONLY_WRITER_EPOCH = WriterEpoch.numbered(0);

  private final ControlSource bootstrap;
  private final Clock clock;
  private final PrivacyOptions privacyOptions;
  private final StartConditions startConditions;
  private final CatalogLimit limit;
  private final SegmentLimits segmentLimits;
  private final @Nullable RecoverySettings earlier;
  private Duration warmUp = Duration.ZERO;

  private transient ControlState<String> specTexts;
  private transient BroadcastSpecRegistry registry;
  private transient boolean isRegistryStale;
  private transient BroadcastBounds causalBounds;

  /** Records that the start rejected, by their places; the sources may deliver them. */
  private transient Map<String, InputFault> refusedAtStart;

  private transient SegmentMachine machine;
  private transient KeyedSegmentState state;
  private transient EmissionCounters counters;
  private transient UnknownAttributes unknownAttributes;
  private transient Redactor redactor;
  private transient @Nullable SubtaskWriterEpoch writerEpoch;
  private transient SubtaskLog written;
  private transient SegmentCount segments;

  /**
   * Creates the function.
   *
   * @param bootstrap reads the control topics when the job starts
   * @param clock used only to check a context's {@code deadline}; serializable
   * @param privacyOptions how its records redact sensitive values
   * @param startConditions the conditions that a start checks
   * @param limit size limit for decisions under active specs
   * @param segmentLimits maximum numbers of segments
   * @param earlier how to recover decisions of earlier epochs; null with exactly-once delivery
   */
  SegmentFunction(
      ControlSource bootstrap,
      Clock clock,
      PrivacyOptions privacyOptions,
      StartConditions startConditions,
      CatalogLimit limit,
      SegmentLimits segmentLimits,
      @Nullable RecoverySettings earlier) {
    this.bootstrap = bootstrap;
    this.clock = clock;
    this.privacyOptions = privacyOptions;
    this.startConditions = startConditions;
    this.limit = limit;
    this.segmentLimits = segmentLimits;
    this.earlier = earlier;
  }

  /** Creates the function of a deployment. */
  public static SegmentFunction of(JobConfig config, Clock clock) {
    boolean isExactlyOnce = config.delivery() == Delivery.EXACTLY_ONCE;
    SegmentFunction function =
        new SegmentFunction(
            new ControlBootstrap(config),
            clock,
            config.privacy(),
            StartConditions.of(config),
            CatalogLimit.of(config),
            config.segmentLimits(),
            isExactlyOnce
                ? null
                : new RecoverySettings(KafkaDecisionLog.of(config), config.recoveryMaxMemory()));
    function.warmUp = config.warmUp();
    return function;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    if (!context.isRestored() && isReporter()) {
      startConditions.beginning().refuseForgetting();
    }
    if (earlier == null) {
      SubtaskWriterEpoch.refuseOther(context);
    }
    written = SubtaskLog.begin(context, getRuntimeContext(), startConditions);
    BroadcastState<String, String> specs =
        context.getOperatorStateStore().getBroadcastState(CONTROL);
    BroadcastState<String, byte[]> boundsRows =
        context.getOperatorStateStore().getBroadcastState(BroadcastBounds.STATE);
    specTexts = new ControlState<>(specs, String::length, "", CHARS_PER_SPEC, MOST_SPEC_CHARS);
    causalBounds = new BroadcastBounds(boundsRows);
    refusedAtStart = new HashMap<>();
    Map<String, String> accepted = new HashMap<>();
    specs.immutableEntries().forEach(it -> accepted.put(it.getKey(), it.getValue()));
    for (Control control : bootstrap.read(accepted::get)) {
      Optional<InputFault> fault =
          control instanceof SpecText spec
              ? put(specs, spec)
              : causalBounds.put(boundsRows, (CausalBoundRecord) control);
      if (fault.isPresent()) {
        LOG.warn("Rejected a control record: {}", fault.get().message());
        refusedAtStart.put(control.raw().place(), fault.get());
      }
    }
    if (context.isRestored()) {
      for (String key : specTexts.retireOthers(specs, bootstrap.keys().specs())) {
        LOG.warn("Spec {} is retired: it is in the state and not on the topic", key);
      }
      causalBounds.retireOthers(boundsRows, bootstrap.keys().causalBounds());
    }
    registry = new BroadcastSpecRegistry();
    registry.replaceWith(specs.immutableEntries());
    registry.refuseTooLarge(limit);
    segments =
        new SegmentCount(
            segmentLimits,
            getRuntimeContext().getTaskInfo(),
            context.getOperatorStateStore(),
            getRuntimeContext().getMetricGroup());
    if (earlier != null) {
      writerEpoch =
          SubtaskWriterEpoch.begin(
              context, getRuntimeContext(), earlier, privacyOptions.unredactor());
      written.discardRemoved(writerEpoch.answers(), getRuntimeContext(), startConditions);
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    written.snapshot(context.getCheckpointId());
    segments.snapshot();
    if (writerEpoch != null) {
      writerEpoch.snapshot();
    }
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) {
    written.completed(checkpoint);
  }

  @Override
  public void close() {
    if (written != null) {
      written.close();
    }
    if (writerEpoch != null) {
      writerEpoch.close();
    }
  }

  @Override
  public void open(OpenContext context) {
    machine =
        new SegmentMachine(
            registry,
            causalBounds.book(),
            clock::millis,
            writerEpoch == null ? ONLY_WRITER_EPOCH : writerEpoch.writerEpoch());
    state = new KeyedSegmentState(getRuntimeContext(), segments);
    counters = new EmissionCounters(getRuntimeContext().getMetricGroup());
    Counter unknown = JobMetric.UNKNOWN_ATTRIBUTES.counter(getRuntimeContext().getMetricGroup());
    unknownAttributes = new UnknownAttributes(unknown::inc, LOG::warn);
    redactor = privacyOptions.redactor(this::spec);
    if (getRuntimeContext().getTaskInfo().getAttemptNumber() == 0) { // a recovery must not wait
      DecisionWarmUp.once(registry.active(), redactor, warmUp);
    }
  }

  @Override
  public void processElement(Input input, ReadOnlyContext context, Collector<Emission> out)
      throws Exception {
    refreshRegistry(context);
    KeyedSegmentState current =
        state.current(input.segment(), context.timerService()::registerEventTimeTimer);
    written.read(input.origin());
    EmittingLog log = log(input.segment(), out, input.origin().traceParent());
    SegmentCount.SegmentKind before = current.kind();
    if (input instanceof ContextEvent event) {
      machine.onContext(event, current, log);
      if (input.origin().appendTime() != Origin.NO_APPEND_TIME) {
        counters.answered(clock.millis() - input.origin().appendTime());
      }
      CompiledSpec spec = registry.select(event.segment());
      if (spec != null) {
        unknownAttributes.look(event.attributes(), event.candidates(), spec);
      }
    } else {
      machine.onReward((RewardEvent) input, current, log);
    }
    segments.changed(input.segment(), before, current.kind());
  }

  private EmittingLog log(String segment, Collector<Emission> out, @Nullable String traceParent) {
    return new EmittingLog(segment, out, counters, redactor, written::wrote, traceParent);
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Emission> out) throws Exception {
    refreshRegistry(context);
    String segment = context.getCurrentKey();
    KeyedSegmentState current =
        state.current(segment, context.timerService()::registerEventTimeTimer);
    SegmentCount.SegmentKind before = current.kind();
    machine.onTimer(time, segment, current, log(segment, out, null));
    segments.changed(segment, before, current.kind());
  }

  @Override
  public void processBroadcastElement(Control control, Context context, Collector<Emission> out)
      throws Exception {
    Optional<InputFault> fault;
    if (bootstrap.hasRead(control.raw())) {
      fault = Optional.ofNullable(refusedAtStart.remove(control.raw().place()));
    } else if (control instanceof SpecText spec) {
      fault = put(context.getBroadcastState(CONTROL), spec);
      isRegistryStale = true;
    } else {
      fault =
          causalBounds.put(
              context.getBroadcastState(BroadcastBounds.STATE), (CausalBoundRecord) control);
    }
    if (fault.isPresent() && isReporter()) {
      counters.count(LogTopic.DEAD_LETTER);
      counters.countDeadLetter(fault.get().code().name());
      out.collect(control.raw().refused(fault.get()));
    }
  }

  private boolean isReporter() {
    return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == REPORTER;
  }

  private @Nullable SegmentSpec spec(String hash) {
    CompiledSpec spec = registry.byHash(hash);
    return spec == null ? null : spec.spec();
  }

  private void refreshRegistry(ReadOnlyContext context) throws Exception {
    if (isRegistryStale) {
      registry.replaceWith(context.getBroadcastState(CONTROL).immutableEntries());
      isRegistryStale = false;
    }
  }

  /** Adds or retires a spec, unless the limit forbids it. */
  private Optional<InputFault> put(BroadcastState<String, String> specs, SpecText spec)
      throws Exception {
    if (!specTexts.hasRoom(specs, spec.key(), spec.text())) {
      return Optional.of(
          new InputFault(
              ErrorCode.TOO_MANY_SPECS,
              "A job keeps at most %d characters of specs, with %d for each; this one exceeds the limit"
                  .formatted(MOST_SPEC_CHARS, CHARS_PER_SPEC)));
    }
    specTexts.put(specs, spec.key(), spec.text());
    return Optional.empty();
  }
}
