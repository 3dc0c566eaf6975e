package io.equipoise.job;

import io.equipoise.event.WriterEpochMarker;
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
 * A subtask's attempt, from its start to its end, and what a checkpoint keeps of it. Only where
 * delivery is at-least-once.
 *
 * <p>At every checkpoint it looks whether another attempt has begun for its key groups. Nobody
 * reads what it writes then, so it ends and is started again. That can only be where two runs of
 * the job meet: a second job of the deployment, or a process that was frozen before it began and
 * thawed after the job manager had been replaced as well. What was answered between the other's
 * markers and the last checkpoint is void then and is not answered again; the auditor names it.
 *
 * <p>The state is a union list: after a rescaling each subtask sees what all of them knew, and
 * takes what overlaps with its own key groups.
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

  /** Begins an attempt; blocks until all that was answered before it is known. */
  static SubtaskWriterEpoch begin(
      FunctionInitializationContext context,
      RuntimeContext runtime,
      EarlierDecisions earlier,
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

  /** Flink tells the execution graph's id with that of the task's execution, in a metric's name. */
  private static String run(RuntimeContext runtime) {
    String execution = runtime.getMetricGroup().getAllVariables().getOrDefault(EXECUTION_ID, "");
    int end = execution.indexOf('_');
    return end < 0 ? "" : execution.substring(0, end);
  }

  /**
   * Refuses a state that was written under at-least-once delivery: answers that were given under it
   * might still have to be given again.
   */
  static void refuseOther(FunctionInitializationContext context) {
    if (context.getOperatorStateStore().getRegisteredStateNames().contains(STATE)) {
      throw new IllegalStateException(
          "this state was written with equipoise.delivery at-least-once and cannot go on with"
              + " exactly-once; start with at-least-once, or without it as another"
              + " equipoise.deployment");
    }
  }

  /** Returns what the segments' machine must know of it. */
  WriterEpoch writerEpoch() {
    return new WriterEpoch(
        begun.writerEpoch(),
        begun.answers(),
        segment -> KeyGroupRangeAssignment.assignToKeyGroup(segment, keyGroups));
  }

  /**
   * Puts into the state what the next attempt must know. Does not wait.
   *
   * @throws WriterEpochOverException if another attempt has taken its place
   */
  void snapshot() throws Exception {
    refuseLater(log, begun);
    state.update(List.of(state(begun, log.recentEnds())));
  }

  /** Looks whether a later attempt has begun. */
  static void refuseLater(DecisionLog log, WriterEpochStart.Begun begun) {
    log.watch(
        begun.ends()[DecisionLog.MARKED_FIRST],
        marker -> {
          if (marker.writerEpoch() > begun.writerEpoch() && marker.overlaps(begun.marker())) {
            throw new WriterEpochOverException(
                "%s is over: %s has begun; is a second job of this deployment running?"
                    .formatted(begun.marker(), marker));
          }
        });
  }

  /** Returns what the next attempt must know; the offsets are at least those of the markers. */
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
