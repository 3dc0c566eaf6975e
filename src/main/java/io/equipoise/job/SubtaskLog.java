package io.equipoise.job;

import io.equipoise.event.Origin;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.state.WrittenState;
import io.equipoise.state.WrittenStateSerializer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a subtask's checkpointed state about the topics and compares it with them at a start: the
 * deployment, the inputs that it has read and, with exactly-once delivery, the records that must be
 * on the topics. Then the first subtask also owns the deployment, see {@link Owner}: without its
 * snapshot no checkpoint completes.
 *
 * <p>A start with at-least-once delivery from a state of exactly-once delivery makes the same
 * comparison and becomes the owner: the state must have all that was committed, and a job that
 * still runs with exactly-once delivery must commit no more.
 *
 * <p>The state is a union list: after a rescaling each subtask receives the states of all subtasks
 * and uses those of its own key groups. The list is rewritten at each snapshot from the inputs read
 * and the written records, which are kept in memory. The task thread calls all methods.
 */
final class SubtaskLog implements AutoCloseable {
  /** Name of the operator state; part of the state contract. */
  static final String STATE = "written";

  private static final Logger LOG = LoggerFactory.getLogger(SubtaskLog.class);

  /** The subtask that owns the deployment. */
  private static final int OWNER = 0;

  private final String deployment;
  private final ListState<WrittenState> state;
  private final InputsRead inputs;
  private final @Nullable SequencedTopics log;
  private final @Nullable WrittenRecords records;
  private final boolean isOwner;

  private SubtaskLog(
      String deployment,
      ListState<WrittenState> state,
      InputsRead inputs,
      @Nullable SequencedTopics log,
      @Nullable WrittenRecords records,
      boolean isOwner) {
    this.deployment = deployment;
    this.state = state;
    this.inputs = inputs;
    this.log = log;
    this.records = records;
    this.isOwner = isOwner;
  }

  /**
   * Compares a restored state with the deployment and its topics.
   *
   * @throws StartRefusedException if the state belongs to another deployment or to other topics of
   *     inputs, is older than the topics, or is ahead of them and that is not accepted
   */
  static SubtaskLog begin(
      FunctionInitializationContext context,
      RuntimeContext runtime,
      StartConditions startConditions)
      throws Exception {
    ListState<WrittenState> state =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>(STATE, new WrittenStateSerializer()));
    List<WrittenState> restored = new ArrayList<>();
    state.get().forEach(restored::add);
    String deployment = startConditions.topics().deployment();
    restored.forEach(it -> refuseOther(it.deployment(), deployment));
    InputsRead inputs =
        InputsRead.begin(
            restored, startConditions.inputs().now(), startConditions.acceptsReplacedInputs());
    TaskInfo task = runtime.getTaskInfo();
    if (task.getIndexOfThisSubtask() == 0) { // for all, whose states are the same
      JobMetric.REMOVED_INPUTS.counter(runtime.getMetricGroup()).inc(inputs.warnOfRemoved());
    }
    boolean isExactlyOnce = startConditions.delivery() == Delivery.EXACTLY_ONCE;
    boolean wasExactlyOnce = restored.stream().anyMatch(it -> !it.ends().isEmpty());
    if (!isExactlyOnce && !wasExactlyOnce) {
      return new SubtaskLog(deployment, state, inputs, null, null, false);
    }
    int keyGroups = task.getMaxNumberOfParallelSubtasks();
    KeyGroupRange mine =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            keyGroups, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    LogCheck check =
        new LogCheck(
            startConditions.topics(),
            restored,
            inputs,
            segment -> mine.contains(KeyGroupRangeAssignment.assignToKeyGroup(segment, keyGroups)));
    Counter lostRecords = JobMetric.LOST_RECORDS.counter(runtime.getMetricGroup());
    SequencedTopics log = startConditions.log().open();
    boolean isOwner = task.getIndexOfThisSubtask() == OWNER;
    try {
      if (isOwner) {
        log.own(); // before the comparison, so that it sees what the owner before has committed
      }
      if (!restored.isEmpty()) {
        long lost = check.compare(log, startConditions.acceptsOlderState());
        lostRecords.inc(lost);
        if (lost > 0 && startConditions.failsOnLoss()) {
          throw new StartRefusedException(
              "The start is refused",
              List.of(
                  "%d records that the state of deployment %s has written are not on its topics; the task's log names them; set %s to continue to start without them"
                      .formatted(lost, deployment, JobOptions.ON_LOST_RECORDS.key())));
        }
      }
      if (!isExactlyOnce) {
        log.close();
        return new SubtaskLog(deployment, state, inputs, null, null, false);
      }
      return new SubtaskLog(
          deployment, state, inputs, log, new WrittenRecords(log.ends()), isOwner);
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  private static void refuseOther(String found, String deployment) {
    if (!found.equals(deployment)) {
      throw new StartRefusedException(
          "The start is refused",
          List.of(
              "the restored state belongs to deployment %s, and equipoise.deployment is %s; the job would read the topics of %s and end its transactions; set equipoise.deployment to %s, or start without that state"
                  .formatted(found, deployment, found, found)));
    }
  }

  /**
   * Discards the recovered decisions whose contexts retention has removed, and reports them as lost
   * records: their contexts will not arrive again, so nothing is learned from them.
   *
   * @throws StartRefusedException if the start must not lose records
   */
  void discardRemoved(
      RecoveredDecisionBuffer answers, RuntimeContext runtime, StartConditions startConditions) {
    String contexts = startConditions.topics().contexts();
    Map<String, Integer> lost =
        answers.discardRemoved(
            (partition, offset) -> inputs.wasRemoved(contexts, partition, offset));
    int count = lost.values().stream().mapToInt(Integer::intValue).sum();
    JobMetric.LOST_RECORDS.counter(runtime.getMetricGroup()).inc(count);
    if (count == 0) {
      return;
    }
    String loss =
        "%d published decisions are lost, by segment %s: no checkpoint has them, and retention has removed their contexts from %s. Nothing is learned from them. The same contexts under the same ids would get other arms: send them under new ids"
            .formatted(count, lost, contexts);
    if (startConditions.failsOnLoss()) {
      throw new StartRefusedException(
          "The start is refused",
          List.of(
              loss
                  + "; set %s to continue to start without them"
                      .formatted(JobOptions.ON_LOST_RECORDS.key())));
    }
    LOG.error(loss);
  }

  void read(Origin origin) {
    inputs.read(origin);
  }

  /** Records that a decision or a segment event was written. */
  void wrote(String segment, long seq) {
    if (records != null) {
      records.wrote(segment, seq);
    }
  }

  /**
   * Stores what the next start needs in the state. Only the owner blocks, until the brokers reply.
   *
   * @throws IllegalStateException if another job owns the deployment
   */
  void snapshot(long checkpoint) throws Exception {
    if (isOwner && log != null) {
      log.checkOwner();
    }
    state.update(
        List.of(
            records == null || log == null
                ? new WrittenState(
                    deployment, inputs.topics(), inputs.offsets(), List.of(), List.of())
                : records.snapshot(deployment, inputs, checkpoint, log.recentEnds())));
  }

  void completed(long checkpoint) {
    if (records != null) {
      records.completed(checkpoint);
    }
  }

  @Override
  public void close() {
    if (log != null) {
      log.close();
    }
  }

  /**
   * Tracks the written records that readers may not see yet: those since the barrier of the last
   * but one checkpoint that is known to be complete. Records before that barrier are committed.
   */
  private static final class WrittenRecords {
    private final Deque<OpenInterval> intervals = new ArrayDeque<>();
    private OpenInterval current;

    /** Holds the records between two barriers, as a range of seq for each segment. */
    private static final class OpenInterval {
      final Map<TopicPartition, Long> endsBefore;
      final Map<String, Seqs> written = new HashMap<>();
      long checkpoint;

      OpenInterval(Map<TopicPartition, Long> endsBefore) {
        this.endsBefore = Map.copyOf(endsBefore);
      }
    }

    private static final class Seqs {
      final long first;
      long last;

      Seqs(long first) {
        this.first = first;
      }
    }

    /**
     * Starts the first interval.
     *
     * @param ends end offsets of the output topics
     */
    WrittenRecords(Map<TopicPartition, Long> ends) {
      this.current = new OpenInterval(ends);
    }

    /** Records that an output was written; records of a segment arrive in the order of seq. */
    void wrote(String segment, long seq) {
      if (seq < 1) {
        return; // not part of any order
      }
      current.written.computeIfAbsent(segment, key -> new Seqs(seq)).last = seq;
    }

    /**
     * Returns the state for a checkpoint.
     *
     * @param inputs what the subtask has read
     * @param recentEnds ends of the topics before this call
     */
    WrittenState snapshot(
        String deployment,
        InputsRead inputs,
        long checkpoint,
        Map<TopicPartition, Long> recentEnds) {
      current.checkpoint = checkpoint;
      intervals.addLast(current);
      current = new OpenInterval(recentEnds);
      TreeMap<String, long[]> unconfirmed = new TreeMap<>();
      for (OpenInterval interval : intervals) {
        interval.written.forEach(
            (segment, seqs) ->
                unconfirmed.computeIfAbsent(segment, key -> new long[] {seqs.first, 0})[1] =
                    seqs.last);
      }
      return new WrittenState(
          deployment,
          inputs.topics(),
          inputs.offsets(),
          offsets(intervals.getFirst().endsBefore),
          unconfirmed.entrySet().stream()
              .map(it -> new WrittenState.SeqRange(it.getKey(), it.getValue()[0], it.getValue()[1]))
              .toList());
    }

    /** Forgets the records that were committed before a complete checkpoint. */
    void completed(long checkpoint) {
      while (!intervals.isEmpty() && intervals.getFirst().checkpoint < checkpoint) {
        intervals.removeFirst();
      }
    }

    private static List<WrittenState.Offset> offsets(Map<TopicPartition, Long> offsets) {
      return offsets.entrySet().stream()
          .map(
              it ->
                  new WrittenState.Offset(
                      it.getKey().topic(), it.getKey().partition(), it.getValue()))
          .sorted(
              Comparator.comparing(WrittenState.Offset::topic)
                  .thenComparingInt(WrittenState.Offset::partition))
          .toList();
    }
  }
}
