package io.equipoise.job;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
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
import io.equipoise.job.topics.Emission;
import io.equipoise.privacy.Redactor;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.time.Clock;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins, decides, learns and audits, segment by segment: the thin shell of {@link SegmentMachine}.
 *
 * <p>Where delivery is at-least-once, each subtask begins with an attempt of its own, see {@link
 * WriterEpochStart}: what was answered before and is not in the state is answered again alike.
 *
 * <p>Specs and causal bounds come by broadcast and touch no keyed state; a segment adopts them at
 * its next event or timer. So that the first context finds its spec, the control topics are read
 * once before the first element (in production by {@link ControlBootstrap}).
 */
public final class SegmentFunction
    extends KeyedBroadcastProcessFunction<String, Input, Control, Emission>
    implements CheckpointedFunction, CheckpointListener {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SegmentFunction.class);

  /** Spec texts by key of the specs topic. */
  static final MapStateDescriptor<String, String> CONTROL =
      new MapStateDescriptor<>("specs", StringSerializer.INSTANCE, StringSerializer.INSTANCE);

  /** Characters of specs that a subtask keeps at most: 4,095 specs, or 63 of the longest texts. */
  static final long MOST_SPEC_CHARS = 64L << 20;

  /** What each spec counts beside its key and text, since every subtask compiles it. */
  static final int CHARS_PER_SPEC = 16 << 10;

  /**
   * Every subtask sees the same control records; this one reports those that cannot be used. It
   * also asks for all whether the job may begin: no checkpoint is complete before it runs.
   */
  private static final int REPORTER = 0;

  /** The attempt that exactly-once output needs: what is committed is never withdrawn. */
  private static final WriterEpoch ONLY_WRITER_EPOCH = WriterEpoch.numbered(0);

  private final ControlSource bootstrap;
  private final Clock clock;
  private final PrivacyOptions privacyOptions;
  private final Continuity continuity;
  private final CatalogLimit limit;
  private final int mostSegments;
  private final @Nullable EarlierDecisions earlier;

  private transient ControlState<String> specTexts;
  private transient BroadcastSpecRegistry shelf;
  private transient boolean isShelfStale;
  private transient BroadcastBounds causalBounds;
  private transient SegmentMachine machine;
  private transient KeyedSegmentState state;
  private transient EmissionCounters counters;
  private transient Redactor redactor;
  private transient @Nullable SubtaskWriterEpoch writerEpoch;
  private transient SubtaskLog written;
  private transient SegmentCount segments;

  /**
   * Creates the function.
   *
   * @param bootstrap reads what is on the control topics when the job starts
   * @param clock read only to see whether a context's {@code deadline} has passed; serializable
   * @param privacy what its records tell of sensitive values
   * @param continuity what a start must find as it was left
   * @param limit what decisions under the specs in force must fit in
   * @param mostSegments how many segments the job keeps at most
   * @param earlier where earlier attempts have left their answers; null where delivery is
   *     exactly-once
   */
  SegmentFunction(
      ControlSource bootstrap,
      Clock clock,
      PrivacyOptions privacyOptions,
      Continuity continuity,
      CatalogLimit limit,
      int mostSegments,
      @Nullable EarlierDecisions earlier) {
    this.bootstrap = bootstrap;
    this.clock = clock;
    this.privacyOptions = privacyOptions;
    this.continuity = continuity;
    this.limit = limit;
    this.mostSegments = mostSegments;
    this.earlier = earlier;
  }

  /** Creates the function of a deployment. */
  public static SegmentFunction of(JobConfig config, Clock clock) {
    boolean isExactlyOnce = config.delivery() == Delivery.EXACTLY_ONCE;
    return new SegmentFunction(
        new ControlBootstrap(config),
        clock,
        config.privacy(),
        Continuity.of(config),
        CatalogLimit.of(config),
        config.mostSegments(),
        isExactlyOnce
            ? null
            : new EarlierDecisions(KafkaDecisionLog.of(config), config.answersMemory()));
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    if (!context.isRestored() && isReporter()) {
      continuity.beginning().refuseForgetting();
    }
    if (earlier == null) {
      SubtaskWriterEpoch.refuseOther(context);
    }
    written = SubtaskLog.begin(context, getRuntimeContext(), continuity);
    BroadcastState<String, String> specs =
        context.getOperatorStateStore().getBroadcastState(CONTROL);
    BroadcastState<String, byte[]> boundsRows =
        context.getOperatorStateStore().getBroadcastState(BroadcastBounds.STATE);
    specTexts = new ControlState<>(specs, String::length, "", CHARS_PER_SPEC, MOST_SPEC_CHARS);
    causalBounds = new BroadcastBounds(boundsRows);
    for (Control control : bootstrap.read()) {
      Optional<InputFault> fault =
          control instanceof SpecText spec
              ? put(specs, spec)
              : causalBounds.put(boundsRows, (CausalBoundRecord) control);
      fault.ifPresent(it -> LOG.warn("A record of a control topic is refused: {}", it.message()));
    }
    if (context.isRestored()) {
      for (String key : specTexts.retireOthers(specs, bootstrap.keys().specs())) {
        LOG.warn("Spec {} is retired: the state has it and the topic has not", key);
      }
      causalBounds.retireOthers(boundsRows, bootstrap.keys().causalBounds());
    }
    shelf = new BroadcastSpecRegistry();
    shelf.replaceWith(specs.immutableEntries());
    shelf.refuseTooLarge(limit);
    segments =
        new SegmentCount(
            mostSegments, getRuntimeContext().getTaskInfo(), context.getOperatorStateStore());
    if (earlier != null) {
      writerEpoch =
          SubtaskWriterEpoch.begin(
              context, getRuntimeContext(), earlier, privacyOptions.revealer());
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
            shelf,
            causalBounds.book(),
            clock::millis,
            writerEpoch == null ? ONLY_WRITER_EPOCH : writerEpoch.writerEpoch());
    state = new KeyedSegmentState(getRuntimeContext());
    counters = new EmissionCounters(getRuntimeContext().getMetricGroup());
    redactor = privacyOptions.redactor(this::spec);
  }

  @Override
  public void processElement(Input input, ReadOnlyContext context, Collector<Emission> out)
      throws Exception {
    refreshRegistry(context);
    KeyedSegmentState current = state.current(context.timerService()::registerEventTimeTimer);
    written.read(input.origin());
    EmittingLog log = new EmittingLog(input.segment(), out, counters, redactor, written::wrote);
    boolean wasThere = current.look();
    if (!wasThere && !segments.hasRoom(input.segment())) {
      InputFault fault = new InputFault(ErrorCode.TOO_MANY_SEGMENTS, segments.refusal());
      log.deadLetter(DeadLetter.of(fault, input));
      return;
    }
    if (input instanceof ContextEvent event) {
      machine.onContext(event, current, log);
    } else {
      machine.onReward((RewardEvent) input, current, log);
    }
    segments.changed(input.segment(), wasThere, current.isThere());
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Emission> out) throws Exception {
    refreshRegistry(context);
    String segment = context.getCurrentKey();
    KeyedSegmentState current = state.current(context.timerService()::registerEventTimeTimer);
    boolean wasThere = current.look();
    machine.onTimer(
        time, segment, current, new EmittingLog(segment, out, counters, redactor, written::wrote));
    segments.changed(segment, wasThere, current.isThere());
  }

  @Override
  public void processBroadcastElement(Control control, Context context, Collector<Emission> out)
      throws Exception {
    Optional<InputFault> fault;
    if (control instanceof SpecText spec) {
      fault = put(context.getBroadcastState(CONTROL), spec);
      isShelfStale = true;
    } else {
      fault =
          causalBounds.put(
              context.getBroadcastState(BroadcastBounds.STATE), (CausalBoundRecord) control);
    }
    if (fault.isPresent() && isReporter()) {
      counters.count(Emission.Output.DEAD_LETTER);
      counters.countDeadLetter(fault.get().code().name());
      out.collect(control.raw().refused(fault.get()));
    }
  }

  private boolean isReporter() {
    return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == REPORTER;
  }

  private @Nullable SegmentSpec spec(String hash) {
    CompiledSpec spec = shelf.byHash(hash);
    return spec == null ? null : spec.spec();
  }

  private void refreshRegistry(ReadOnlyContext context) throws Exception {
    if (isShelfStale) {
      shelf.replaceWith(context.getBroadcastState(CONTROL).immutableEntries());
      isShelfStale = false;
    }
  }

  /** Takes a spec or its retirement, unless the limit forbids it. */
  private Optional<InputFault> put(BroadcastState<String, String> specs, SpecText spec)
      throws Exception {
    if (!specTexts.hasRoom(specs, spec.key(), spec.text())) {
      return Optional.of(
          new InputFault(
              ErrorCode.TOO_MANY_SPECS,
              "A job keeps at most %d characters of specs, with %d for each, and this would be more"
                  .formatted(MOST_SPEC_CHARS, CHARS_PER_SPEC)));
    }
    specTexts.put(specs, spec.key(), spec.text());
    return Optional.empty();
  }
}
