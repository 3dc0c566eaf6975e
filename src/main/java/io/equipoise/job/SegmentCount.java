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
 * Counts the segments with state and rejects further ones above a limit. Senders of contexts choose
 * segment names, and each name costs memory that no restart frees.
 *
 * <p>Each key group has an equal part of the limit. So the rejected segments do not depend on the
 * parallelism, and names with one hash code share one part.
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
   * Restores the counts of a checkpoint.
   *
   * @param most limit for the whole job
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

  /** Returns whether a segment with this name may be created. */
  boolean hasRoom(String segment) {
    return segments[keyGroup(segment)] < mostOfKeyGroup;
  }

  /** Returns the reason for a rejection. */
  String refusal() {
    return "The job keeps at most " + most + " segments; this one exceeds the limit";
  }

  /** Updates the count from whether a segment had state before and after an input or timer. */
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
