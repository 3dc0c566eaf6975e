package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.equipoise.policy.StateBlock;
import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segment.state.SegmentHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An event sees its own changes, the next one what the backend keeps, on both state backends. */
@SuppressWarnings("try") // closing a harness is interruptible
class KeyedSegmentStateTest {
  private static final SegmentHeader HEAD = new SegmentHeader();

  /** What one event of a segment does with its state. */
  private record Event(String segment, Consumer<KeyedSegmentState> does) {}

  private static final class Events extends KeyedProcessFunction<String, Event, String>
      implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    private transient SegmentCount count;
    private transient KeyedSegmentState state;

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      count =
          new SegmentCount(
              SegmentHarness.ANY_NUMBER,
              getRuntimeContext().getTaskInfo(),
              context.getOperatorStateStore(),
              getRuntimeContext().getMetricGroup());
    }

    @Override
    public void open(OpenContext context) {
      state = new KeyedSegmentState(getRuntimeContext(), count);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {}

    @Override
    public void processElement(Event event, Context context, Collector<String> out) {
      event.does.accept(state.current(event.segment, time -> {}));
    }
  }

  private static void run(SegmentHarness.Backend backend, Event... events) throws Exception {
    try (var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new Events()), Event::segment, Types.STRING)) {
      harness.setStateBackend(backend.make());
      harness.open();
      for (Event event : events) {
        harness.processElement(event, 0);
      }
    }
  }

  private static List<Long> keys(KeyedSegmentState state) {
    List<Long> keys = new ArrayList<>();
    state.blocks().entries().forEach(block -> keys.add(block.getKey()));
    return keys;
  }

  @ParameterizedTest
  @EnumSource
  void blocksBelongToTheirSegmentWhateverTheEventHasReadOfThem(SegmentHarness.Backend backend)
      throws Exception {
    run(
        backend,
        new Event(
            "a",
            state -> {
              assertNull(state.head());
              assertNull(state.blocks().get(2));
              state.blocks().put(2, new CellBlock(2));
              state.blocks().put(1, new CellBlock(1));
              assertEquals(List.of(1L, 2L), keys(state));
              state.putHead(HEAD);
            }),
        new Event(
            "a",
            state -> {
              assertNull(state.blocks().get(3));
              state.blocks().put(3, new CellBlock(3));
              StateBlock read = state.blocks().get(2);
              assertNotNull(state.blocks().get(1));
              state.blocks().remove(1);
              assertNull(state.blocks().get(1));
              assertEquals(List.of(2L, 3L), keys(state));
              assertSame(read, state.blocks().get(2));
              assertNull(state.blocks().get(1));
            }),
        new Event(
            "b",
            state -> {
              assertNull(state.head());
              assertEquals(List.of(), keys(state));
              assertNull(state.blocks().get(2));
            }),
        new Event(
            "a",
            state -> {
              assertEquals(Map.entry(3L, new CellBlock(3)), last(state));
              state.clearBlocks();
              assertNull(state.blocks().get(2));
              state.blocks().put(4, new CellBlock(4));
              assertEquals(List.of(4L), keys(state));
            }),
        new Event(
            "a",
            state -> {
              assertNotNull(state.head());
              assertEquals(List.of(4L), keys(state));
            }),
        new Event("a", KeyedSegmentState::clearBlocks),
        new Event("a", state -> assertEquals(List.of(), keys(state))));
  }

  private static Map.Entry<Long, Object> last(KeyedSegmentState state) {
    Map.Entry<Long, Object> last = Map.entry(0L, "none");
    for (var block : state.blocks().entries()) {
      last = Map.entry(block.getKey(), block.getValue());
    }
    return last;
  }

  @ParameterizedTest
  @EnumSource
  void headerAndRemainsBelongToTheirSegment(SegmentHarness.Backend backend) throws Exception {
    run(
        backend,
        new Event("a", state -> state.putHead(HEAD)),
        new Event("b", state -> assertEquals(SegmentCount.SegmentKind.NONE, state.kind())),
        new Event(
            "a",
            state -> {
              assertEquals(SegmentCount.SegmentKind.ACTIVE, state.kind());
              state.removeHead();
              state.putPassivated(PassivatedSegment.emptied(HEAD));
              assertEquals(SegmentCount.SegmentKind.PASSIVATED, state.kind());
            }),
        new Event("b", state -> assertNull(state.passivated())),
        new Event(
            "a",
            state -> {
              assertEquals(PassivatedSegment.emptied(HEAD), state.passivated());
              state.putPassivated(null);
              assertEquals(SegmentCount.SegmentKind.NONE, state.kind());
            }),
        new Event("a", state -> assertEquals(SegmentCount.SegmentKind.NONE, state.kind())));
  }
}
