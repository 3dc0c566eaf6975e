package io.equipoise.audit.verify;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.Decoded;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.job.control.RawControl;
import io.equipoise.privacy.RedactionKey;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segment.ByteSegmentState;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segment.state.SpecRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Plays the job's core over random inputs, good and bad, and keeps inputs and outputs as a log, the
 * same for equal seeds.
 */
final class PlayedDeployment implements SpecRegistry {
  static final int MAX_RECORD_BYTES = 1 << 16;

  private static final long START = 1_700_000_000_000L;
  private static final List<String> SPECS =
      List.of(
          TestSpecs.ucb(),
          TestSpecs.dUcb(),
          TestSpecs.text(
              "linucb",
              1,
              "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
              "{range: [0, 1]}",
              "reject"),
          TestSpecs.ucb(
              "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: mean}",
              "{range: [0, 1]}"),
          TestSpecs.ucb(
              "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback:"
                  + " \"A=right\"}",
              "{range: [0, 1], default: {value: 0, mediators: {}}}"),
          TestSpecs.experiment(
              "csr-v2, samples: 8, control: \"A=left\"",
              1,
              "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
              "{range: [0, 1]}",
              "reject"));

  final MemoryLog log;
  final List<RawControl> refused = new ArrayList<>();
  final Map<String, Long> retired = new HashMap<>();
  final List<CompiledSpec> specs;

  private final Map<String, CompiledSpec> byHash = new HashMap<>();
  private final Map<String, ByteSegmentState> states = new TreeMap<>();
  private final InputDecoder decoder = new InputDecoder(MAX_RECORD_BYTES);
  private final SplittableRandom random;
  private final Redactor redactor;
  private final SpecRegistry read;
  private final List<Decision> sent = new ArrayList<>();
  private final List<byte[]> contexts = new ArrayList<>();
  private long now = START;
  private int ids;

  PlayedDeployment(long seed, int steps) {
    this(seed, steps, SensitiveValues.PLAIN, null);
  }

  /** Plays the same and hides sensitive values in what is written. */
  PlayedDeployment(
      long seed, int steps, SensitiveValues sensitiveValues, @Nullable RedactionKey key) {
    this(seed, steps, sensitiveValues, key, true);
  }

  /** Plays the same and may leave the features off the decisions. */
  PlayedDeployment(
      long seed,
      int steps,
      SensitiveValues sensitiveValues,
      @Nullable RedactionKey key,
      boolean areFeaturesTold) {
    this(seed, steps, sensitiveValues, key, areFeaturesTold, UnaryOperator.identity());
  }

  /** Plays a job that takes each spec for another one, which it says nothing of. */
  PlayedDeployment(long seed, int steps, UnaryOperator<CompiledSpec> misread) {
    this(seed, steps, SensitiveValues.PLAIN, null, true, misread);
  }

  private PlayedDeployment(
      long seed,
      int steps,
      SensitiveValues sensitiveValues,
      @Nullable RedactionKey key,
      boolean areFeaturesTold,
      UnaryOperator<CompiledSpec> misread) {
    log = new MemoryLog();
    specs = SPECS.stream().map(TestSpecs::compiled).toList();
    random = new SplittableRandom(seed);
    specs.forEach(spec -> byHash.put(spec.spec().hash(), spec));
    read = new Misread(this, misread);
    redactor =
        new Redactor(
            sensitiveValues,
            key,
            1,
            areFeaturesTold,
            hash -> byHash.containsKey(hash) ? byHash.get(hash).spec() : null);
    for (int i = 0; i < steps; i++) {
      now += random.nextLong(3_000);
      step();
      pass(now - 5_000);
      if (random.nextInt(20) == 0) {
        log.skip(LogTopic.DECISIONS, random.nextInt(MemoryLog.PARTITIONS));
        log.skip(LogTopic.SEGMENT_EVENTS, random.nextInt(MemoryLog.PARTITIONS));
      }
    }
  }

  private PlayedDeployment(PlayedDeployment of) {
    log = of.log.copy();
    specs = of.specs;
    refused.addAll(of.refused);
    retired.putAll(of.retired);
    byHash.putAll(of.byHash);
    random = of.random;
    redactor = of.redactor;
    read = of.read;
  }

  /** Returns a deployment of the same records, to tamper with and not to play on. */
  PlayedDeployment copy() {
    return new PlayedDeployment(this);
  }

  /** Lets event time pass until nothing awaits anything. */
  PlayedDeployment ended() {
    now += 1_000_000;
    pass(now);
    return this;
  }

  /** Plays on two hours later; event time has stood still meanwhile. */
  PlayedDeployment stuck() {
    now += 7_200_000;
    for (int i = 0; i < 100; i++) {
      step();
    }
    return this;
  }

  /** Returns what a savepoint taken now would let a replay begin with. */
  StartState saved() {
    Map<String, SegmentSnapshot> saved = new TreeMap<>();
    states.forEach(
        (segment, state) -> {
          if (state.head() != null
              || state.passivated() != null) { // a segment without a spec has none
            saved.put(segment, Objects.requireNonNull(state.saved()));
          }
        });
    return wanted -> {
      Map<String, SegmentSnapshot> asked = new TreeMap<>(saved);
      asked.keySet().removeIf(wanted.negate());
      return asked;
    };
  }

  SpecCatalog texts() {
    return new SpecCatalog(this, BoundsRegistry.NONE, specs, refused, retired);
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
    String segment = "s" + random.nextInt(specs.size() + 1);
    int kind = random.nextInt(100);
    if (kind < 40) {
      context(segment, "d" + ids++, now - random.nextLong(2_000), person());
    } else if (kind < 43 && !contexts.isEmpty()) {
      byte[] again = contexts.get(random.nextInt(contexts.size()));
      send(LogTopic.CONTEXTS, Wire.CONTEXT.decode(again).segment(), again);
    } else if (kind < 45) {
      context(segment, "d" + random.nextInt(ids + 1), now, person());
    } else if (kind < 48) {
      send(LogTopic.CONTEXTS, segment, MemoryLog.bytes("no Avro " + kind));
    } else if (kind < 50) {
      context(segment, "d" + ids++, now, Map.of("S", "a", "X", Double.NaN));
    } else if (kind < 52) {
      context(segment, "d" + ids++, now, Map.of("S", "a", "X", "sideways"));
    } else if (kind < 90 && !sent.isEmpty()) {
      Decision decision = sent.get(Math.max(0, sent.size() - 1 - random.nextInt(30)));
      reward(decision.segment(), decision.decisionId(), now, random.nextInt(3) / 2.0);
    } else if (kind < 93) {
      reward(segment, "d" + (ids + random.nextInt(3)), now, 1);
    } else if (kind < 96) {
      send(LogTopic.REWARDS, segment, MemoryLog.bytes("no Avro either"));
    } else {
      reward(segment, "d" + random.nextInt(ids + 1), now, Double.NaN);
    }
  }

  private Map<String, Object> person() {
    return Map.of(
        "S", random.nextBoolean() ? "a" : "b", "X", random.nextBoolean() ? "low" : "high");
  }

  private void context(String segment, String id, long time, Map<String, Object> person) {
    byte[] bytes = Wire.CONTEXT.encode(new WireContext(id, segment, time, person, null, null));
    contexts.add(bytes);
    send(LogTopic.CONTEXTS, segment, bytes);
  }

  private void reward(String segment, String id, long time, double value) {
    Object level = id.hashCode() % 4 == 0 ? (Object) 1.0 : "1"; // a number may name a level
    Map<String, Object> mediators = random.nextInt(10) == 0 ? Map.of() : Map.of("M", level);
    String rewardId = "r" + random.nextInt(3);
    send(
        LogTopic.REWARDS,
        segment,
        Wire.REWARD.encode(new WireReward(id, rewardId, segment, time, value, mediators, null)));
  }

  private void send(LogTopic topic, String segment, byte[] value) {
    byte[] key = MemoryLog.bytes(segment);
    int partition = MemoryLog.partitionOf(segment);
    long offset = log.append(topic, partition, now, key, value);
    Origin origin = new Origin(MemoryLog.TOPICS.of(topic), partition, offset, now);
    Decoded decoded = decoder.decode(topic, key, value, origin, now + 600_000);
    if (decoded instanceof Decoded.Bad bad) {
      log.append(
          LogTopic.DEAD_LETTER,
          partition,
          now,
          key,
          Wire.DEAD_LETTER.encode(redactor.of(bad.letter())));
      return;
    }
    Input input = ((Decoded.Good) decoded).input();
    SegmentMachine machine = new SegmentMachine(read, BoundsRegistry.NONE, () -> now, 0);
    ByteSegmentState state = states.computeIfAbsent(segment, s -> new ByteSegmentState());
    if (input instanceof ContextEvent context) {
      machine.onContext(context, state, new Appending(segment));
    } else {
      machine.onReward((RewardEvent) input, state, new Appending(segment));
    }
  }

  private void pass(long watermark) {
    SegmentMachine machine = new SegmentMachine(read, BoundsRegistry.NONE, () -> now, 0);
    states.forEach(
        (segment, state) -> {
          for (Long due = state.pollTimer(watermark);
              due != null;
              due = state.pollTimer(watermark)) {
            machine.onTimer(due, segment, state, new Appending(segment));
          }
        });
  }

  /** A book whose texts are taken for others. */
  private record Misread(SpecRegistry book, UnaryOperator<CompiledSpec> by)
      implements SpecRegistry {
    @Override
    public @Nullable CompiledSpec select(String segment) {
      return misread(book.select(segment));
    }

    @Override
    public @Nullable CompiledSpec byHash(String hash) {
      return misread(book.byHash(hash));
    }

    private @Nullable CompiledSpec misread(@Nullable CompiledSpec spec) {
      return spec == null ? null : by.apply(spec);
    }
  }

  /** Appends what a segment writes, keyed by segment. */
  private final class Appending implements OutputLog {
    private final String segment;

    Appending(String segment) {
      this.segment = segment;
    }

    @Override
    public void write(SegmentOutput output) {
      if (output instanceof Decision decision) {
        sent.add(decision);
      }
      append(redactor.of(output));
    }

    @Override
    public void audits(List<FairnessAudit> ofOneDecision) {
      redactor.ofOneDecision(ofOneDecision).forEach(this::append);
    }

    private void append(SegmentOutput output) {
      log.append(
          LogTopic.of(output),
          MemoryLog.partitionOf(segment),
          now,
          MemoryLog.bytes(segment),
          Wire.bytesOf(output));
    }
  }
}
