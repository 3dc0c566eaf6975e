package io.equipoise.job;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.audit.verify.SpecCatalog;
import io.equipoise.client.Answers;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A deployment of at-least-once delivery under a seeded scheduler that has no mercy: subtasks write
 * through buffers that are lost, or are appended long after they should; checkpoints fail; jobs are
 * killed, or frozen and thawed when another runs already, also while it begins; inputs come in
 * another order after each restart. The same for equal seeds.
 */
public final class RestlessDeployment implements SpecRegistry {
  public static final int MAX_RECORD_BYTES = 1 << 16;
  static final int KEY_GROUPS = 16;
  static final int MOST_SUBTASKS = 3;

  private static final long START = 1_700_000_000_000L;
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  /** The segment under {@link #NARROW}. */
  static final String NARROW_SEGMENT = "s1";

  /** Overflows with decisions, ids and early rewards, also while answers are recovered. */
  private static final String NARROW =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, max-pending: 3}";

  private static final String REWARD = "{range: [0, 1]}";
  private static final List<String> SPECS =
      List.of(
          TestSpecs.text("ucb, ties: seeded", 1, JOIN, REWARD, "reject"),
          TestSpecs.text("d-ucb", 1, NARROW, REWARD, "reject"),
          TestSpecs.text("linucb, explore: {share: 0.3, over: all}", 1, JOIN, REWARD, "reject"),
          TestSpecs.text("cclb, explore: {share: 0.2, over: all}", 1, JOIN, REWARD, "reject"),
          TestSpecs.text("ucb, constraint: dual, ties: seeded", 1, JOIN, REWARD, "reject"),
          TestSpecs.text("linucb, constraint: dual", 1, JOIN, REWARD, "reject"),
          TestSpecs.text("oam, horizon: 1000", 1, JOIN, REWARD, "reject"),
          TestSpecs.experiment(
              "csr-v2, samples: 40, control: \"A=left\"", 1, JOIN, REWARD, "reject"));

  public final MemoryLog log = new MemoryLog();
  final List<CompiledSpec> specs = SPECS.stream().map(TestSpecs::compiled).toList();
  final SplittableRandom random;

  /** The answers that people saw, by context. */
  final Map<String, Decision> shown = new LinkedHashMap<>();

  final Answers answers = new Answers();
  long now = START;

  /** How many attempts were begun, and how often another job began at once. */
  int starts;

  int rivals;

  /** How often a job found out that another one had taken its place. */
  int ended;

  private final Map<String, CompiledSpec> byHash = new HashMap<>();
  private final int[] seen = new int[MemoryLog.PARTITIONS];
  private final List<Incarnation> thawing = new ArrayList<>();
  private final List<byte[]> contexts = new ArrayList<>();
  private Incarnation running;
  private Incarnation.@Nullable Checkpoint checkpoint;

  /** What the last start began with. */
  private Incarnation.@Nullable Checkpoint restored;

  /** Says of each execution whether its decisions tell their features. */
  final IntPredicate areFeaturesTold;

  private boolean isRivalStarting;
  private int executions;
  private int ids;

  /** Plays a number of steps, then lets the job come to rest. */
  public RestlessDeployment(long seed, int steps) {
    this(seed, steps, execution -> true);
  }

  /** Plays the same; each execution may leave the features off its decisions. */
  public RestlessDeployment(long seed, int steps, IntPredicate areFeaturesTold) {
    this.areFeaturesTold = areFeaturesTold;
    random = new SplittableRandom(seed);
    specs.forEach(spec -> byHash.put(spec.spec().hash(), spec));
    running = started();
    for (int i = 0; i < steps; i++) {
      now += random.nextLong(700);
      step();
    }
    rest();
  }

  public SpecCatalog texts() {
    return new SpecCatalog(this, BoundsRegistry.NONE, specs, List.of(), Map.of());
  }

  @Override
  public @Nullable CompiledSpec select(String segment) {
    int number = Integer.parseInt(segment.substring(1));
    return number < specs.size() ? specs.get(number) : null;
  }

  @Override
  public @Nullable CompiledSpec byHash(String hash) {
    return byHash.get(hash);
  }

  private void step() {
    int kind = random.nextInt(200);
    if (kind < 70) {
      context();
    } else if (kind < 74) {
      reward("s" + random.nextInt(specs.size()), "d" + random.nextInt(ids + 1));
    } else if (kind < 76) {
      append(random.nextBoolean() ? LogTopic.CONTEXTS : LogTopic.REWARDS, "s1", 0, new byte[] {7});
    } else if (kind < 180) {
      running.step(1 + random.nextInt(4));
    } else if (kind < 192) {
      checkpoint();
    } else {
      end();
      running = started();
    }
    running.flushSome();
    thaw();
    if (random.nextInt(50) == 0) {
      rival();
    }
    read();
  }

  private void context() {
    if (!contexts.isEmpty() && random.nextInt(25) == 0) {
      byte[] again = contexts.get(Math.max(0, contexts.size() - 1 - random.nextInt(20)));
      int anywhere = random.nextInt(MemoryLog.PARTITIONS);
      append(LogTopic.CONTEXTS, Wire.CONTEXT.decode(again).segment(), anywhere, again);
      return;
    }
    String segment = "s" + random.nextInt(specs.size() + 1);
    Map<String, Object> person =
        Map.of(
            "S",
            random.nextInt(40) == 0 ? "z" : random.nextBoolean() ? "a" : "b",
            "X",
            random.nextBoolean() ? "low" : "high");
    long time = now - random.nextLong(2_000);
    Long deadline = random.nextInt(20) == 0 ? (Long) (now + 1_500) : null;
    byte[] bytes =
        Wire.CONTEXT.encode(new WireContext("d" + ids++, segment, time, person, null, deadline));
    contexts.add(bytes);
    append(LogTopic.CONTEXTS, segment, MemoryLog.partitionOf(segment), bytes);
  }

  private void reward(String segment, String id) {
    Map<String, Object> mediators = Map.of("M", random.nextBoolean() ? "1" : "0");
    byte[] bytes =
        Wire.REWARD.encode(
            new WireReward(id, null, segment, now, random.nextInt(2), mediators, null));
    append(LogTopic.REWARDS, segment, MemoryLog.partitionOf(segment), bytes);
  }

  private void append(LogTopic topic, String segment, int partition, byte[] value) {
    log.append(topic, partition, now, MemoryLog.bytes(segment), value);
  }

  /** Reads as who shows the arms does; most answers bring a reward. */
  private void read() {
    for (int partition = 0; partition < seen.length; partition++) {
      List<LogRecord> records = log.records(LogTopic.DECISIONS, partition);
      for (; seen[partition] < records.size(); seen[partition]++) {
        LogRecord at = records.get(seen[partition]);
        ConsumerRecord<byte[], byte[]> record =
            new ConsumerRecord<>("decisions", partition, at.offset(), at.key(), at.value());
        at.headers().forEach(record.headers()::add);
        answers.on(record).ifPresent(this::show);
      }
    }
  }

  private void show(Decision decision) {
    boolean isNew = shown.putIfAbsent(contextOf(decision), decision) == null;
    if (isNew && !decision.isRepeated() && random.nextInt(5) > 0) {
      reward(decision.segment(), decision.decisionId());
    }
  }

  /** Names the context that a decision answers. */
  static String contextOf(Decision decision) {
    return "%s/%s at %d/%d"
        .formatted(
            decision.segment(),
            decision.decisionId(),
            decision.source().partition(),
            decision.source().offset());
  }

  private void checkpoint() {
    try {
      Incarnation.Checkpoint taken = running.checkpoint();
      if (random.nextInt(4) > 0) {
        checkpoint = taken;
      }
    } catch (WriterEpochEndedException e) {
      ended++;
      running = started();
    }
  }

  private void end() {
    if (random.nextBoolean()) {
      thawing.add(running);
    }
  }

  /** What frozen jobs had in their buffers comes late, and they may even go on a bit. */
  void thaw() {
    for (Incarnation frozen : thawing) {
      if (random.nextInt(3) == 0) {
        frozen.step(random.nextInt(3));
        frozen.flushSome();
      }
    }
    if (!thawing.isEmpty() && random.nextInt(10) == 0) {
      thawing.remove(0);
    }
  }

  /**
   * An execution before the last one, which was taken for dead, begins only now, from the
   * checkpoint that was the last one then, and is frozen again.
   */
  private void rival() {
    rivals++;
    isRivalStarting = true;
    try {
      thawing.add(new Incarnation(this, parallelism(), restored, executions - 1));
    } catch (BrokenOffException | WriterEpochEndedException e) {
      now++;
    }
    isRivalStarting = false;
  }

  /** Starts from the last checkpoint; a start may be broken off, and is tried again. */
  private Incarnation started() {
    restored = checkpoint;
    while (true) {
      try {
        return new Incarnation(this, parallelism(), checkpoint, ++executions);
      } catch (BrokenOffException | WriterEpochEndedException e) {
        now++;
      }
    }
  }

  private int parallelism() {
    return 1 + random.nextInt(MOST_SUBTASKS);
  }

  private void rest() {
    thawing.clear();
    checkpoint(); // finds out whether it is over
    for (int i = 0; i < 4; i++) { // answers bring rewards, which must be read too
      running.step(Integer.MAX_VALUE);
      running.checkpoint();
      read();
    }
    now += 1_000_000;
    running.passTo(now);
    running.checkpoint();
    read();
  }

  /** The decisions in memory; others append while an attempt begins. */
  final class Decisions implements DecisionLog {
    private final CheckpointableEnds marked = new CheckpointableEnds(begins());
    private long watched;

    @Override
    public long[] begins() {
      return new long[MemoryLog.PARTITIONS];
    }

    @Override
    public long[] ends() {
      long[] ends = new long[MemoryLog.PARTITIONS];
      for (int partition = 0; partition < ends.length; partition++) {
        ends[partition] = log.slices(LogTopic.DECISIONS).get(partition).reach();
      }
      return ends;
    }

    @Override
    public long[] recentEnds() {
      long[] before = marked.kept();
      marked.answered(ends(), ends()[MARKED_FIRST]);
      return before;
    }

    @Override
    public long[] append(WriterEpochMarker marker) {
      long[] offsets = new long[MemoryLog.PARTITIONS];
      starts++;
      for (int partition = 0; partition < offsets.length; partition++) {
        thaw();
        if (!isRivalStarting && random.nextInt(25) == 0) {
          rival();
        }
        offsets[partition] = mark(partition, marker);
        if (random.nextInt(30) == 0) {
          throw new BrokenOffException();
        }
      }
      return offsets;
    }

    private long mark(int partition, WriterEpochMarker marker) {
      return log.mark(partition, now, marker);
    }

    @Override
    public void read(long[] from, long[] to, Reader reader) {
      for (int partition = 0; partition < from.length; partition++) {
        for (LogRecord at : List.copyOf(log.records(LogTopic.DECISIONS, partition))) {
          if (at.offset() >= from[partition] && at.offset() < to[partition]) {
            reader.on(partition, at.value(), at.headers());
          }
        }
      }
    }

    /** Sees some of what came since it looked last. */
    @Override
    public void watch(long from, Consumer<WriterEpochMarker> reader) {
      long begin = Math.max(from, watched);
      watched = begin + random.nextLong(ends()[MARKED_FIRST] - begin + 1);
      for (LogRecord at : log.records(LogTopic.DECISIONS, MARKED_FIRST)) {
        boolean isSeen = at.offset() >= begin && at.offset() < watched;
        if (isSeen && at.isMarker()) {
          reader.accept(WriterEpochMarker.of(at.headers()));
        }
      }
      marked.watched(watched);
    }

    @Override
    public void close() {}
  }

  /** The start was broken off. */
  private static final class BrokenOffException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
