package io.equipoise.job;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decoded;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.job.topics.Emission;
import io.equipoise.privacy.Redactor;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentMatch;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.ShownRule;
import io.equipoise.segmentspec.SpecVariable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes invented contexts and rewards in memory before the sources are read, so that the first
 * people do not wait for class loading and compilation. It decodes, decides, audits, updates and
 * encodes for each spec in turn. It runs once for each class loader, since code stays compiled; the
 * other subtasks wait. It does not run after a failure. Nothing of it reaches state, topics or
 * metrics.
 */
final class DecisionWarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionWarmUp.class);
  private static final int ROUNDS = 2_000;
  private static final int MAX_BYTES = 1 << 20;

  /** An arbitrary valid time of a context, epoch ms. */
  private static final long TIME = 1_000_000_000_000L;

  /** Number of different values of a numeric variable. */
  private static final int STEPS = 1_000;

  private static boolean isDone;

  private DecisionWarmUp() {}

  /**
   * Warms the specs up unless a subtask did so before. A failure is logged and prevents nothing.
   *
   * @param longest time after which it stops; zero plays none
   */
  static synchronized void once(List<CompiledSpec> specs, Redactor redactor, Duration longest) {
    if (isDone || specs.isEmpty() || longest.isZero()) {
      return;
    }
    isDone = true;
    long start = System.nanoTime();
    try {
      int rounds = play(specs, redactor, ROUNDS, longest, new Encoder());
      LOG.info(
          "Warmed up the decision path with {} invented decisions in {} ms",
          rounds,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    } catch (Throwable e) {
      LOG.warn("The decision path was not warmed up; the first decisions may be slow", e);
    }
  }

  /**
   * Processes rounds of one context and its reward for each spec.
   *
   * @param longest time after which it stops
   * @param out receives the records
   * @return number of contexts
   */
  static int play(
      List<CompiledSpec> specs,
      Redactor redactor,
      int rounds,
      Duration longest,
      Collector<Emission> out) {
    long end = System.nanoTime() + longest.toNanos();
    List<Segment> segments = new ArrayList<>();
    specs.forEach(spec -> segments.add(new Segment(spec, redactor, out)));
    int played = 0;
    for (int round = 0; round < rounds; round++) {
      for (Segment segment : segments) {
        if (System.nanoTime() > end) {
          return played;
        }
        segment.play(round);
        played++;
      }
    }
    return played;
  }

  /** Simulates one segment of a spec with uniformly drawn people. */
  private static final class Segment {
    private final SegmentSpec spec;
    private final String name;
    private final SegmentMachine machine;
    private final EmittingLog log;
    private final MemorySegmentState state = new MemorySegmentState();
    private final InputDecoder decoder = new InputDecoder(MAX_BYTES);
    private int draws;

    Segment(CompiledSpec compiled, Redactor redactor, Collector<Emission> out) {
      spec = compiled.spec();
      name = spec.match() instanceof SegmentMatch.Exact exact ? exact.segments().get(0) : "warm-up";
      machine = new SegmentMachine(SpecRegistry.of(compiled), () -> TIME, 0);
      log =
          new EmittingLog(
              name,
              out,
              new EmissionCounters(new UnregisteredMetricsGroup(), warning -> {}),
              redactor,
              (segment, seq) -> {},
              null);
    }

    void play(int round) {
      String id = "warm-up-" + round;
      Map<String, Object> attributes = new HashMap<>();
      for (SpecVariable variable : spec.variables().features()) {
        attributes.put(variable.name(), value(variable));
      }
      WireContext context = new WireContext(id, name, TIME + round, attributes, null, null);
      if (input(LogTopic.CONTEXTS, Wire.CONTEXT.encode(context), round)
          instanceof ContextEvent event) {
        machine.onContext(event, state, log);
      }
      Map<String, Object> mediators = new HashMap<>();
      for (SpecVariable variable : spec.variables().mediators()) {
        mediators.put(variable.name(), value(variable));
      }
      WireReward reward =
          new WireReward(
              id,
              null,
              name,
              TIME + round,
              end(spec.reward().range()),
              mediators,
              spec.join().shown() == ShownRule.CONFIRMED ? spec.arms().get(0).id() : null);
      if (input(LogTopic.REWARDS, Wire.REWARD.encode(reward), round) instanceof RewardEvent event) {
        machine.onReward(event, state, log);
      }
    }

    private Object value(SpecVariable variable) {
      NumberRange range = variable.range();
      return range != null && variable.isNumeric()
          ? (Object) (range.low() + (range.high() - range.low()) * next(STEPS) / STEPS)
          : variable.levels().get(next(variable.disclosedLevels()));
    }

    /** Returns an end of the range: some models take no other rewards. */
    private double end(NumberRange range) {
      return next(2) == 0 ? range.low() : range.high();
    }

    /** Returns a number below another, each as often. */
    private int next(int end) {
      draws = draws * 69_069 + 1; // of Marsaglia
      return ((draws >>> 16) & 0x7FFF) % end;
    }

    private @Nullable Input input(LogTopic kind, byte[] value, int round) {
      Origin origin = new Origin("warm-up", 0, round, TIME);
      Decoded decoded = decoder.decode(kind, null, value, origin, Long.MAX_VALUE);
      return decoded instanceof Decoded.Good good ? good.input() : null;
    }
  }

  /** Encodes each record, as the sink does. */
  private static final class Encoder implements Collector<Emission> {
    @Override
    public void collect(Emission emission) {
      emission.value();
    }

    @Override
    public void close() {}
  }
}
