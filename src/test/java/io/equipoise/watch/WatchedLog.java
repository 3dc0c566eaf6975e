package io.equipoise.watch;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WatchedQuantity;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.simulation.DueRewards;
import io.equipoise.simulation.SplitMix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log of a segment of {@code SimulationSpecs}: a person each hour, rewards that come within
 * twenty hours, a tenth never.
 */
public final class WatchedLog implements OutputLog, SpecRegistry {
  public static final String SEGMENT = "north";
  private static final long START = 1_700_000_000_000L;
  private static final long HOUR = 3_600_000;

  public final List<LoggedRecord> records = new ArrayList<>();
  private final Map<String, CompiledSpec> texts = new HashMap<>();
  private final MemorySegmentState state = new MemorySegmentState();
  private final SegmentMachine machine =
      new SegmentMachine(this, BoundsRegistry.NONE, () -> START, 0);
  private final DueRewards due = new DueRewards(machine, SEGMENT, state, this);
  private final SplitMix random = new SplitMix(7);
  private CompiledSpec champion;
  private @Nullable Decision last;
  private int people;
  private long offset;

  public WatchedLog(CompiledSpec champion) {
    this.champion = champion;
    texts.put(champion.spec().hash(), champion);
  }

  /** Publishes another spec, which the next context adopts. */
  public WatchedLog publish(CompiledSpec next) {
    champion = next;
    texts.put(next.spec().hash(), next);
    return this;
  }

  /** Plays so many people; a large offer pays men .9, others .5, and women .2. */
  public WatchedLog play(int count) {
    for (int i = 0; i < count; i++) {
      person();
    }
    return this;
  }

  private void person() {
    long now = START + HOUR * ++people;
    due.deliver(now);
    String id = "d" + people;
    boolean isWoman = random.nextDouble() < .5;
    Map<String, Object> attributes = new HashMap<>();
    if (random.nextDouble() > .05) {
      attributes.put("gender", isWoman ? "f" : "m");
    }
    attributes.put("income", random.nextDouble() < .5 ? "low" : "high");
    machine.onContext(
        new ContextEvent(
            id, SEGMENT, now, attributes, null, null, origin("contexts", now), new byte[0]),
        state,
        this);
    boolean isLarge = last != null && "offer=large".equals(last.arm());
    boolean isPaid = random.nextDouble() < (isLarge ? isWoman ? .2 : .9 : .5);
    long at = now + Math.round(20 * HOUR * random.nextDouble());
    if (random.nextDouble() > .1) {
      due.add(
          new RewardEvent(
              id,
              id + "r",
              SEGMENT,
              at,
              isPaid ? 1.0 : 0.0,
              Map.of(),
              null,
              origin("rewards", at),
              new byte[0]));
    }
  }

  private static Origin origin(String topic, long time) {
    return new Origin(topic, 0, time, time);
  }

  @Override
  public void write(SegmentOutput output) {
    if (output instanceof Decision decision) {
      last = decision;
      records.add(new LoggedRecord(decision, offset++));
    } else if (output instanceof SegmentEvent segmentEvent) {
      records.add(new LoggedRecord(segmentEvent, -1));
    }
  }

  @Override
  public boolean takesMetrics() {
    return false;
  }

  @Override
  public CompiledSpec select(String segment) {
    return champion;
  }

  @Override
  public @Nullable CompiledSpec byHash(String hash) {
    return texts.get(hash);
  }

  /** Registers a spec as a single candidate, from a decision on. */
  public ChallengerRegistration challenger(
      CompiledSpec spec, long startOffset, Map<String, Double> maxGaps) {
    return new ChallengerRegistration(
        spec.spec().name(),
        spec.spec().hash(),
        spec.spec().text(),
        champion.spec().hash(),
        1,
        1,
        .05,
        .025,
        0,
        null,
        null,
        maxGaps,
        null,
        0,
        startOffset,
        START,
        true);
  }

  /** Registers a monitor of the rewards of genders. */
  public static GroupsRegistration genders(long startOffset) {
    return new GroupsRegistration(
        List.of("gender"), WatchedQuantity.REWARD, List.of(), .02, .05, 100_000, 0, startOffset, 0);
  }

  /** Returns evidence of a challenger that passes, after 1,000 rows. */
  public static WatchEvidence passing(long missing, double unsupported, double certifiedShare) {
    ChallengerEvidence found =
        new ChallengerEvidence(
            .5,
            .4,
            .6,
            .5,
            -.00001,
            -.01,
            .01,
            -.00001,
            .5,
            .5,
            1,
            2,
            900,
            unsupported,
            certifiedShare,
            certifiedShare,
            0,
            List.of(),
            null,
            List.of(),
            true);
    return new WatchEvidence(1000, 5, 0, missing, 0, found, null);
  }

  /** Returns a registration under an id for people. */
  static WatchRecord named(String id, ChallengerRegistration challenger) {
    return new WatchRecord(
        WatchRecord.Type.CHALLENGER, SEGMENT, id, challenger, null, null, null, null);
  }

  /** Returns a registration under an id for people. */
  static WatchRecord named(String id, GroupsRegistration groups) {
    return new WatchRecord(WatchRecord.Type.GROUPS, SEGMENT, id, null, groups, null, null, null);
  }

  /** Returns a watch of the segment without registrations. */
  SegmentWatch watch() {
    return new SegmentWatch(this, 200_000, 1);
  }

  /** Returns all results of a watch, which reads in batches. */
  List<WatchRecord> results(SegmentWatch watch, int batch) {
    List<WatchRecord> results = new ArrayList<>();
    for (int from = 0; from < records.size(); from += batch) {
      int to = Math.min(records.size(), from + batch);
      results.addAll(watch.on(records.subList(from, to), Runnable::run));
    }
    return results;
  }
}
