package io.equipoise.job;

import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.state.WriterEpochState;
import io.equipoise.state.WriterEpochStateSerializer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Runs a subtask's writer epoch and stores it in checkpoints. Only with at-least-once delivery.
 *
 * <p>At every checkpoint it checks whether another epoch has begun for its key groups. Readers
 * ignore what it writes from then on, so it fails and restarts. This happens only when two runs of
 * the job overlap: a second job of the deployment, or a process that was frozen before its start
 * and resumed after the job manager was replaced. Decisions between the other epoch's markers and
 * the last checkpoint are then void and are not published again; the auditor reports them.
 *
 * <p>The state is a union list: after a rescaling each subtask receives the states of all subtasks
 * and uses those that overlap with its key groups. A snapshot stores the epoch, the recent ends and
 * the decisions still buffered; the buffer shrinks as contexts arrive. The task thread calls all
 * methods.
 */
final class SubtaskWriterEpoch implements AutoCloseable {
  /** Name of the operator state; part of the state contract. */
  static final String STATE = "writer-epochs";

  private static final String EXECUTION_ID = "<task_attempt_id>";

  private final DecisionLog log;
  private final int keyGroups;
  private final ListState<WriterEpochState> state;
  private final WriterEpochStart.Begun begun;

  private SubtaskWriterEpoch(
      DecisionLog log,
      int keyGroups,
      ListState<WriterEpochState> state,
      WriterEpochStart.Begun begun) {
    this.log = log;
    this.keyGroups = keyGroups;
    this.state = state;
    this.begun = begun;
  }

  /** Begins a writer epoch; blocks until all earlier decisions are read. */
  static SubtaskWriterEpoch begin(
      FunctionInitializationContext context,
      RuntimeContext runtime,
      RecoverySettings earlier,
      Unredactor unredactor)
      throws Exception {
    TaskInfo task = runtime.getTaskInfo();
    ListState<WriterEpochState> state =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>(STATE, new WriterEpochStateSerializer()));
    List<WriterEpochState> restored = new ArrayList<>();
    state.get().forEach(restored::add);
    int keyGroups = task.getMaxNumberOfParallelSubtasks();
    KeyGroupRange mine =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            keyGroups, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    WriterEpochMarker own =
        new WriterEpochMarker(
            0,
            mine.getStartKeyGroup(),
            mine.getEndKeyGroup(),
            run(runtime),
            task.getAttemptNumber());
    DecisionLog log = earlier.log().open();
    try {
      WriterEpochStart.Begun begun =
          new WriterEpochStart(log, own, keyGroups, earlier.memory(), unredactor)
              .begin(restored, context.isRestored());
      return new SubtaskWriterEpoch(log, keyGroups, state, begun);
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /**
   * Flink exposes the execution graph's id together with the task execution's id, in a metric name.
   */
  private static String run(RuntimeContext runtime) {
    String execution = runtime.getMetricGroup().getAllVariables().getOrDefault(EXECUTION_ID, "");
    int end = execution.indexOf('_');
    return end < 0 ? "" : execution.substring(0, end);
  }

  /** Rejects a state of at-least-once delivery: its decisions might still have to be re-applied. */
  static void refuseOther(FunctionInitializationContext context) {
    if (context.getOperatorStateStore().getRegisteredStateNames().contains(STATE)) {
      throw new StartRefusedException(
          "The start is refused",
          List.of(
              "this state was written with equipoise.delivery at-least-once and cannot continue with"
                  + " exactly-once; start with at-least-once, or start without state as another"
                  + " equipoise.deployment"));
    }
  }

  /** Returns the decisions of earlier writer epochs whose contexts have not arrived again. */
  RecoveredDecisionBuffer answers() {
    return begun.answers();
  }

  /** Returns the writer epoch for the segment machine. */
  WriterEpoch writerEpoch() {
    return new WriterEpoch(
        begun.writerEpoch(),
        begun.answers(),
        segment -> KeyGroupRangeAssignment.assignToKeyGroup(segment, keyGroups));
  }

  /**
   * Stores what the next writer epoch needs in the state. Does not block.
   *
   * @throws WriterEpochEndedException if a later writer epoch has begun for some of its key groups
   */
  void snapshot() throws Exception {
    refuseLater(log, begun);
    state.update(List.of(state(begun, log.recentEnds())));
  }

  static void refuseLater(DecisionLog log, WriterEpochStart.Begun begun) {
    log.watch(
        begun.ends()[DecisionLog.MARKED_FIRST],
        marker -> {
          if (marker.writerEpoch() > begun.writerEpoch() && marker.overlaps(begun.marker())) {
            throw new WriterEpochEndedException(
                "%s has ended because %s has begun; check whether a second job of this deployment is running"
                    .formatted(begun.marker(), marker));
          }
        });
  }

  /** Returns what the next writer epoch needs; the offsets are at least those of the markers. */
  static WriterEpochState state(WriterEpochStart.Begun begun, long[] recentEnds) {
    List<Long> offsets = new ArrayList<>();
    for (int partition = 0; partition < begun.ends().length; partition++) {
      offsets.add(Math.max(begun.ends()[partition], recentEnds[partition]));
    }
    return new WriterEpochState(
        begun.writerEpoch(),
        begun.marker().firstKeyGroup(),
        begun.marker().lastKeyGroup(),
        offsets,
        begun.answers().bytes());
  }

  @Override
  public void close() {
    log.close();
  }
}
