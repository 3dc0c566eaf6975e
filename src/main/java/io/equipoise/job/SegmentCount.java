package io.equipoise.job;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Counts the segments that have state and refuses more than a number of them. Whoever writes
 * contexts names segments, and each name costs memory that no restart gives back.
 *
 * <p>Each key group has an equal part of the limit, so that the same segments are refused whatever
 * the parallelism is, and names of one hash code share one part only.
 *
 * <pre>
 *   state, a union list: for each key group with segments, key group (high i32) | segments (low i32)
 * </pre>
 */
final class SegmentCount {
  /** Name of the operator state; part of the state contract. */
  static final String STATE = "segments";

  private final int most;
  private final int mostOfKeyGroup;
  private final KeyGroupRange mine;
  private final int[] segments;
  private final ListState<Long> state;

  /**
   * Takes over what a checkpoint knew.
   *
   * @param most segments of the whole job
   */
  SegmentCount(int most, TaskInfo task, OperatorStateStore store) throws Exception {
    this.most = most;
    segments = new int[task.getMaxNumberOfParallelSubtasks()];
    mostOfKeyGroup = Math.max(1, most / segments.length);
    mine =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            segments.length, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    state = store.getUnionListState(new ListStateDescriptor<>(STATE, LongSerializer.INSTANCE));
    for (long counted : state.get()) {
      int keyGroup = (int) (counted >> Integer.SIZE);
      if (mine.contains(keyGroup)) {
        segments[keyGroup] = (int) counted;
      }
    }
  }

  /** Says whether another segment of this name may begin. */
  boolean hasRoom(String segment) {
    return segments[keyGroup(segment)] < mostOfKeyGroup;
  }

  /** Returns why one may not. */
  String refusal() {
    return "The job keeps at most " + most + " segments, and this would be one more";
  }

  /** Notes whether a segment had state before a record or timer, and has any after it. */
  void changed(String segment, boolean before, boolean after) {
    if (before != after) {
      int keyGroup = keyGroup(segment);
      segments[keyGroup] = Math.max(0, segments[keyGroup] + (after ? 1 : -1));
    }
  }

  void snapshot() throws Exception {
    List<Long> counted = new ArrayList<>();
    for (int keyGroup = mine.getStartKeyGroup(); keyGroup <= mine.getEndKeyGroup(); keyGroup++) {
      if (segments[keyGroup] > 0) {
        counted.add(((long) keyGroup << Integer.SIZE) | segments[keyGroup]);
      }
    }
    state.update(counted);
  }

  private int keyGroup(String segment) {
    return KeyGroupRangeAssignment.assignToKeyGroup(segment, segments.length);
  }
}
