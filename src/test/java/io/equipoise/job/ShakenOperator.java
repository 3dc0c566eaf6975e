package io.equipoise.job;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Decision;
import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.Control;
import io.equipoise.job.topics.Emission;
import io.equipoise.segment.state.CompiledSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/**
 * The segment operator in Flink's harness under a seeded scheduler: inputs of several partitions in
 * any order, doubled, late and bad; snapshots; failures, after which everything since the last
 * snapshot is done again in another order, by another number of subtasks. Outputs are committed
 * with the snapshot that follows them. The same for equal seeds.
 */
@SuppressWarnings("try") // closing a harness is interruptible
final class ShakenOperator implements AutoCloseable {
  static final int MAX_RECORD_BYTES = 1 << 16;

  private static final List<LogTopic> INPUTS = List.of(LogTopic.CONTEXTS, LogTopic.REWARDS);
  private static final int SEGMENTS = 5;
  private static final int MOST_SUBTASKS = 3;
  private static final long WITHIN_SKEW = 600_000;

  final MemoryLog log = new MemoryLog();

  /** How often it failed, and with how many other subtasks it went on. */
  int failures;

  int rescales;

  private final SegmentHarness.Backend backend;
  private final List<Control> controls = new ArrayList<>();
  private final List<CausalBoundSet> unpublished;
  private final SplittableRandom random;
  private final InputDecoder decoder = new InputDecoder(MAX_RECORD_BYTES);
  private final List<SegmentHarness> subtasks = new ArrayList<>();
  private final List<byte[]> contexts = new ArrayList<>();
  private final List<Runnable> uncommitted = new ArrayList<>();
  private final List<Decision> answered = new ArrayList<>();
  private int[][] positions = new int[INPUTS.size()][MemoryLog.PARTITIONS];
  private int[][] savedPositions = new int[INPUTS.size()][MemoryLog.PARTITIONS];
  private @Nullable OperatorSubtaskState saved;
  private int savedSubtasks = 1;
  private long checkpoint;
  private long now = SegmentHarness.ORIGIN;
  private int ids;

  /**
   * Starts one subtask.
   *
   * @param bounds sets of causal bounds, published one after the other in the schedule
   */
  ShakenOperator(
      SegmentHarness.Backend backend,
      CompiledSpec spec,
      String text,
      List<CausalBoundSet> bounds,
      long seed)
      throws Exception {
    this.backend = backend;
    controls.add(TestControls.spec(spec.spec().key(), text));
    unpublished = new ArrayList<>(bounds);
    random = new SplittableRandom(seed);
    start(1);
  }

  /** Plays a number of steps, then reads all and lets event time pass. */
  void play(int steps) throws Exception {
    for (int i = 0; i < steps; i++) {
      now += random.nextLong(2_000);
      step();
    }
    for (int i = 0; i < 3; i++) { // answers bring rewards, which must be read too
      read(Integer.MAX_VALUE);
      snapshot();
    }
    now += 1_000_000;
    pass(now);
    snapshot();
  }

  private void step() throws Exception {
    int kind = random.nextInt(100);
    if (kind < 35) {
      context();
    } else if (kind < 40) {
      reward("s" + random.nextInt(SEGMENTS), "d" + random.nextInt(ids + 1));
    } else if (kind < 41 && !unpublished.isEmpty()) {
      publish(unpublished.remove(0));
    } else if (kind < 43) {
      send(random.nextBoolean() ? LogTopic.CONTEXTS : LogTopic.REWARDS, "s1", new byte[] {7});
    } else if (kind < 85) {
      read(1 + random.nextInt(5));
    } else if (kind < 90) {
      pass(now - 10_000);
    } else if (kind < 96) {
      snapshot();
    } else {
      fail();
    }
  }

  /** Rows come by broadcast, to one subtask after the other, and stay on their topic. */
  private void publish(CausalBoundSet set) throws Exception {
    for (CausalBound row : set.rows()) {
      CausalBoundRecord control = TestControls.bound(row);
      controls.add(control);
      for (SegmentHarness subtask : subtasks) {
        subtask.processBroadcastElement(control, 0);
      }
      read(random.nextInt(3));
    }
  }

  private void context() {
    if (!contexts.isEmpty() && random.nextInt(10) == 0) {
      byte[] again = contexts.get(random.nextInt(contexts.size()));
      send(LogTopic.CONTEXTS, Wire.CONTEXT.decode(again).segment(), again);
      return;
    }
    String segment = "s" + random.nextInt(SEGMENTS);
    Map<String, Object> person =
        Map.of(
            "S",
            random.nextInt(30) == 0 ? "z" : random.nextBoolean() ? "a" : "b",
            "X",
            random.nextBoolean() ? "low" : "high");
    long time = now - random.nextLong(3_000);
    byte[] bytes =
        Wire.CONTEXT.encode(new WireContext("d" + ids++, segment, time, person, null, null));
    contexts.add(bytes);
    send(LogTopic.CONTEXTS, segment, bytes);
  }

  private void reward(String segment, String id) {
    Map<String, Object> mediators = Map.of("M", random.nextBoolean() ? "1" : "0");
    long time = now - random.nextLong(2_000);
    byte[] bytes =
        Wire.REWARD.encode(
            new WireReward(id, null, segment, time, random.nextInt(2), mediators, null));
    send(LogTopic.REWARDS, segment, bytes);
  }

  private void send(LogTopic topic, String segment, byte[] value) {
    log.append(topic, MemoryLog.partitionOf(segment), now, MemoryLog.bytes(segment), value);
  }

  /** Hands inputs to the operator, each from any partition. */
  private void read(int most) throws Exception {
    for (int i = 0; i < most; i++) {
      List<int[]> open = new ArrayList<>();
      for (int topic = 0; topic < INPUTS.size(); topic++) {
        for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
          if (positions[topic][partition] < log.records(INPUTS.get(topic), partition).size()) {
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

  private void take(LogTopic topic, int partition, int position) throws Exception {
    LogRecord at = log.records(topic, partition).get(position);
    Origin origin = new Origin(MemoryLog.TOPICS.of(topic), partition, at.offset(), at.timestamp());
    Decoded decoded =
        decoder.decode(topic, at.key(), at.value(), origin, at.timestamp() + WITHIN_SKEW);
    if (decoded instanceof Decoded.Bad bad) {
      byte[] letter = Wire.DEAD_LETTER.encode(bad.letter());
      uncommitted.add(() -> log.append(LogTopic.DEAD_LETTER, partition, now, at.key(), letter));
      return;
    }
    Input input = ((Decoded.Good) decoded).input();
    for (SegmentHarness subtask : subtasks) {
      if (subtask.owns(input.segment())) {
        subtask.processElement(input, 0);
      }
    }
  }

  private void pass(long time) throws Exception {
    for (SegmentHarness subtask : subtasks) {
      subtask.processBroadcastWatermark(new Watermark(Long.MAX_VALUE));
      subtask.processWatermark(new Watermark(time));
    }
  }

  /** Keeps the state and commits what was written before it, as one transaction does. */
  private void snapshot() throws Exception {
    checkpoint++;
    OperatorSubtaskState[] states = new OperatorSubtaskState[subtasks.size()];
    for (int i = 0; i < states.length; i++) {
      states[i] = subtasks.get(i).snapshot(checkpoint, checkpoint);
    }
    saved = AbstractStreamOperatorTestHarness.repackageState(states);
    savedSubtasks = states.length;
    savedPositions = copy(positions);
    for (SegmentHarness subtask : subtasks) {
      subtask.extractOutputValues().forEach(this::commit);
      subtask.getOutput().clear();
    }
    uncommitted.forEach(Runnable::run);
    uncommitted.clear();
    for (Decision decision : answered) {
      if (random.nextInt(5) > 0) {
        reward(decision.segment(), decision.decisionId());
      }
    }
    answered.clear();
  }

  private void commit(Emission emission) {
    String segment = new String(emission.key(), StandardCharsets.UTF_8);
    LogTopic topic = LogTopic.valueOf(emission.output().name());
    byte[] value = emission.value();
    log.append(topic, MemoryLog.partitionOf(segment), now, emission.key(), value);
    if (emission.output() == LogTopic.DECISIONS) {
      answered.add(Wire.DECISION.decode(value));
    }
  }

  private void fail() throws Exception {
    failures++;
    uncommitted.clear();
    positions = copy(savedPositions);
    int parallelism = 1 + random.nextInt(MOST_SUBTASKS);
    rescales += parallelism == subtasks.size() ? 0 : 1;
    close();
    start(parallelism);
  }

  private void start(int parallelism) throws Exception {
    for (int index = 0; index < parallelism; index++) {
      SegmentHarness subtask = new SegmentHarness(backend, parallelism, index, controls);
      subtask.start(
          saved == null
              ? null
              : SegmentHarness.repartitionOperatorState(
                  saved, SegmentHarness.MAX_PARALLELISM, savedSubtasks, parallelism, index));
      subtasks.add(subtask);
    }
  }

  private static int[][] copy(int[][] positions) {
    return Arrays.stream(positions).map(int[]::clone).toArray(int[][]::new);
  }

  /** Returns the types of all committed segment events. */
  List<SegmentEventType> kinds() {
    List<SegmentEventType> kinds = new ArrayList<>();
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      for (LogRecord at : log.records(LogTopic.SEGMENT_EVENTS, partition)) {
        kinds.add(Wire.SEGMENT_EVENT.decode(at.value()).type());
      }
    }
    return kinds;
  }

  @Override
  public void close() throws Exception {
    for (SegmentHarness subtask : subtasks) {
      subtask.close();
    }
    subtasks.clear();
  }
}
