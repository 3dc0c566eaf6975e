package io.equipoise.job;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Input;
import io.equipoise.event.RewardEvent;
import io.equipoise.join.SegmentMachine;
import java.time.Clock;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Joins, decides, learns and audits, segment by segment: the thin shell of {@link SegmentMachine}.
 *
 * <p>Specs come by broadcast and touch no keyed state; a segment adopts one at its next event or
 * timer. So that the first context finds its spec, the specs topic is read once before the first
 * element (in production by {@link SpecBootstrap}).
 */
public final class SegmentFunction
    extends KeyedBroadcastProcessFunction<String, Input, SpecText, Emission>
    implements CheckpointedFunction {
  private static final long serialVersionUID = 1L;

  /** Spec texts by key of the specs topic. */
  static final MapStateDescriptor<String, String> CONTROL =
      new MapStateDescriptor<>("specs", StringSerializer.INSTANCE, StringSerializer.INSTANCE);

  /** The attempt that exactly-once output needs: what is committed is never withdrawn. */
  private static final int ONLY_ATTEMPT = 0;

  private final SpecSource bootstrap;
  private final Clock clock;

  private transient SpecShelf shelf;
  private transient boolean isShelfStale;
  private transient SegmentMachine machine;
  private transient KeyedSegmentState state;
  private transient EmissionCounters counters;

  /**
   * Creates the function.
   *
   * @param bootstrap reads the specs that are on the topic when the job starts
   * @param clock read only to see whether a context's {@code answerBy} has passed; serializable
   */
  SegmentFunction(SpecSource bootstrap, Clock clock) {
    this.bootstrap = bootstrap;
    this.clock = clock;
  }

  /** Creates the function of a deployment. */
  public static SegmentFunction of(JobConfig config, Clock clock) {
    return new SegmentFunction(new SpecBootstrap(config.kafka(), config.topics().specs()), clock);
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    BroadcastState<String, String> specs =
        context.getOperatorStateStore().getBroadcastState(CONTROL);
    for (SpecText spec : bootstrap.read()) {
      put(specs, spec);
    }
    shelf = new SpecShelf();
    shelf.replaceWith(specs.immutableEntries());
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) {}

  @Override
  public void open(OpenContext context) {
    machine = new SegmentMachine(shelf, clock::millis, ONLY_ATTEMPT);
    state = new KeyedSegmentState(getRuntimeContext());
    counters = new EmissionCounters(getRuntimeContext().getMetricGroup());
  }

  @Override
  public void processElement(Input input, ReadOnlyContext context, Collector<Emission> out)
      throws Exception {
    refreshShelf(context);
    KeyedSegmentState current = state.current(context.timerService()::registerEventTimeTimer);
    EmittingLog log = new EmittingLog(input.segment(), out, counters);
    if (input instanceof ContextEvent event) {
      machine.onContext(event, current, log);
    } else {
      machine.onReward((RewardEvent) input, current, log);
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Emission> out) throws Exception {
    refreshShelf(context);
    String segment = context.getCurrentKey();
    machine.onTimer(
        time,
        segment,
        state.current(context.timerService()::registerEventTimeTimer),
        new EmittingLog(segment, out, counters));
  }

  @Override
  public void processBroadcastElement(SpecText spec, Context context, Collector<Emission> out)
      throws Exception {
    put(context.getBroadcastState(CONTROL), spec);
    isShelfStale = true;
  }

  private void refreshShelf(ReadOnlyContext context) throws Exception {
    if (isShelfStale) {
      shelf.replaceWith(context.getBroadcastState(CONTROL).immutableEntries());
      isShelfStale = false;
    }
  }

  /** A retired text is kept, marked, for the segments that run under it. */
  private static void put(BroadcastState<String, String> specs, SpecText spec) throws Exception {
    @Nullable String text = spec.text();
    if (text == null) {
      specs.put(SpecShelf.RETIRED + spec.key(), "");
    } else {
      specs.put(spec.key(), text);
      specs.remove(SpecShelf.RETIRED + spec.key());
    }
  }
}
