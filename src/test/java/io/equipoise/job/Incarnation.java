package io.equipoise.job;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.ByteSegmentState;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.state.WriterEpochState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.jspecify.annotations.Nullable;

/** One run of the job of a {@link RestlessDeployment}, from its start to its end. */
final class Incarnation {
  private static final List<LogTopic> INPUTS = List.of(LogTopic.CONTEXTS, LogTopic.REWARDS);

  private final RestlessDeployment deployment;
  private final InputDecoder decoder = new InputDecoder(RestlessDeployment.MAX_RECORD_BYTES);
  private final List<Subtask> subtasks = new ArrayList<>();
  private final Map<String, ByteSegmentState> states = new TreeMap<>();
  private final int execution;
  private final int[][] positions;
  private final Buffers undecodable = new Buffers();

  /** What a completed checkpoint holds. */
  @SuppressWarnings("ArrayRecordComponent") // a new one each time, never compared
  record Checkpoint(
      int[][] positions,
      Map<String, ByteSegmentState> states,
      List<WriterEpochState> writerEpochs) {}

  /**
   * Starts.
   *
   * @param execution how often the job manager had started the job before
   */
  Incarnation(
      RestlessDeployment deployment, int parallelism, @Nullable Checkpoint from, int execution) {
    this.deployment = deployment;
    this.execution = execution;
    positions =
        from == null
            ? new int[INPUTS.size()][MemoryLog.PARTITIONS]
            : Arrays.stream(from.positions).map(int[]::clone).toArray(int[][]::new);
    if (from != null) {
      from.states.forEach((segment, state) -> states.put(segment, state.copy()));
    }
    for (int index = 0; index < parallelism; index++) {
      subtasks.add(new Subtask(parallelism, index, from));
    }
  }

  /** Takes some inputs, each from any partition. */
  void step(int most) {
    SplittableRandom random = deployment.random;
    for (int i = 0; i < most; i++) {
      List<int[]> open = new ArrayList<>();
      for (int topic = 0; topic < INPUTS.size(); topic++) {
        for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
          List<LogRecord> records = deployment.log.records(INPUTS.get(topic), partition);
          if (positions[topic][partition] < records.size()) {
            open.add(new int[] {topic, partition});
          }
        }
      }
      if (open.isEmpty()) {
        return;
      }
      int[] next = open.get(random.nextInt(open.size()));
      take(INPUTS.get(next[0]), next[1], positions[next[0]][next[1]]++);
    }
  }

  private void take(LogTopic topic, int partition, int position) {
    LogRecord at = deployment.log.records(topic, partition).get(position);
    Origin origin = new Origin(MemoryLog.TOPICS.of(topic), partition, at.offset(), at.timestamp());
    Decoded decoded = decoder.decode(topic, at.key(), at.value(), origin, Long.MAX_VALUE);
    if (decoded instanceof Decoded.Bad bad) {
      undecodable.add(
          LogTopic.DEAD_LETTER, partition, at.key(), Wire.DEAD_LETTER.encode(bad.letter()));
      return;
    }
    Input input = ((Decoded.Good) decoded).input();
    Subtask subtask = of(input.segment());
    ByteSegmentState state =
        states.computeIfAbsent(input.segment(), segment -> new ByteSegmentState());
    if (input instanceof ContextEvent context) {
      subtask.machine.onContext(context, state, subtask.log(input.segment()));
    } else {
      subtask.machine.onReward((RewardEvent) input, state, subtask.log(input.segment()));
    }
    if (deployment.random.nextInt(10) == 0) {
      passTo(reached() - 20_000);
    }
  }

  /** Returns when the eldest input was appended that is not read yet: time waits for a backlog. */
  private long reached() {
    long reached = deployment.now;
    for (int topic = 0; topic < INPUTS.size(); topic++) {
      for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
        List<LogRecord> records = deployment.log.records(INPUTS.get(topic), partition);
        if (positions[topic][partition] < records.size()) {
          long next = records.get(positions[topic][partition]).timestamp();
          reached = Math.min(reached, next);
        }
      }
    }
    return reached;
  }

  private Subtask of(String segment) {
    int index =
        KeyGroupRangeAssignment.assignKeyToParallelOperator(
            segment, RestlessDeployment.KEY_GROUPS, subtasks.size());
    return subtasks.get(index);
  }

  void passTo(long watermark) {
    states.forEach(
        (segment, state) -> {
          for (Long due = state.pollTimer(watermark);
              due != null;
              due = state.pollTimer(watermark)) {
            of(segment).machine.onTimer(due, segment, state, of(segment).log(segment));
          }
        });
  }

  void flushSome() {
    undecodable.flushSome();
    subtasks.forEach(subtask -> subtask.buffers.flushSome());
  }

  /** Snapshots all, then flushes, as the sink does behind the function. */
  Checkpoint checkpoint() {
    List<WriterEpochState> writerEpochs = new ArrayList<>();
    subtasks.forEach(subtask -> writerEpochs.add(subtask.snapshot()));
    Map<String, ByteSegmentState> copies = new TreeMap<>();
    states.forEach((segment, state) -> copies.put(segment, state.copy()));
    Checkpoint taken =
        new Checkpoint(
            Arrays.stream(positions).map(int[]::clone).toArray(int[][]::new), copies, writerEpochs);
    undecodable.flush();
    subtasks.forEach(subtask -> subtask.buffers.flush());
    return taken;
  }

  private final class Subtask {
    private final DecisionLog decisions = deployment.new Decisions();
    private final WriterEpochStart.Begun begun;
    private final SegmentMachine machine;
    private final Buffers buffers = new Buffers();

    Subtask(int parallelism, int index, @Nullable Checkpoint from) {
      KeyGroupRange mine =
          KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
              RestlessDeployment.KEY_GROUPS, parallelism, index);
      WriterEpochMarker own =
          new WriterEpochMarker(
              0, mine.getStartKeyGroup(), mine.getEndKeyGroup(), "run", execution);
      begun =
          new WriterEpochStart(
                  decisions,
                  own,
                  RestlessDeployment.KEY_GROUPS,
                  MemorySize.ofMebiBytes(64),
                  new Unredactor(KeyRing.none()))
              .begin(from == null ? List.of() : from.writerEpochs, from != null);
      machine =
          new SegmentMachine(
              deployment,
              BoundsRegistry.NONE,
              () -> deployment.now,
              new WriterEpoch(
                  begun.writerEpoch(),
                  begun.answers(),
                  segment ->
                      KeyGroupRangeAssignment.assignToKeyGroup(
                          segment, RestlessDeployment.KEY_GROUPS)));
    }

    WriterEpochState snapshot() {
      SubtaskWriterEpoch.refuseLater(decisions, begun);
      return SubtaskWriterEpoch.state(begun, decisions.recentEnds());
    }

    OutputLog log(String segment) {
      return new Buffered(segment, buffers, deployment.areFeaturesTold.test(execution));
    }
  }

  /** What a producer has not sent yet: in order within a partition, in any order among them. */
  private final class Buffers {
    private final Map<String, ArrayDeque<Runnable>> queues = new TreeMap<>();

    void add(LogTopic topic, int partition, byte @Nullable [] key, byte[] value) {
      queues
          .computeIfAbsent(topic + "/" + partition, any -> new ArrayDeque<>())
          .add(() -> deployment.log.append(topic, partition, deployment.now, key, value));
    }

    void flushSome() {
      for (ArrayDeque<Runnable> queue : queues.values()) {
        for (int i = deployment.random.nextInt(3); i > 0 && !queue.isEmpty(); i--) {
          queue.remove().run();
        }
      }
    }

    void flush() {
      for (ArrayDeque<Runnable> queue : queues.values()) {
        queue.forEach(Runnable::run);
        queue.clear();
      }
    }
  }

  private record Buffered(String segment, Buffers buffers, boolean areFeaturesTold)
      implements OutputLog {
    @Override
    public void write(SegmentOutput output) {
      SegmentOutput told =
          output instanceof Decision decision && !areFeaturesTold
              ? decision.withFeatures(null, null)
              : output;
      buffers.add(
          LogTopic.of(told),
          MemoryLog.partitionOf(segment),
          MemoryLog.bytes(segment),
          Wire.bytesOf(told));
    }
  }
}
