package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.Decision;
import io.equipoise.event.IdHash;
import io.equipoise.event.Input;
import io.equipoise.event.LogTopic;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks the rewards that were read and that no output names (I2). The job may buffer such a reward
 * until its context arrives or its early-reward timeout ends. It is lost if
 *
 * <ul>
 *   <li>event time has passed that timeout: timers fire at the same watermark in every subtask, so
 *       a checkpoint that contains a timer of time t contains all timers up to t of all segments;
 *       or
 *   <li>its decision is on the log and event time has not passed the retention of the decision's
 *       id: then one of the two met the other. A segment without room evicts an id earlier, which
 *       is on the log.
 * </ul>
 *
 * <p>State: {@link #add} collects offsets. {@link #check}, called once, reads their rewards by id,
 * then the latest event time and the decisions of these ids; only then does it report.
 */
final class OpenRewards {
  private static final long NEVER = Long.MIN_VALUE;

  /** Memory per reward, in bytes: an entry of a sorted set, and the id twice. */
  private static final long BYTES = 768;

  private final Map<RecordPlace, TreeSet<Long>> offsets = new HashMap<>();
  private final MemoryBudget memoryBudget;
  private final Map<Id, Held> held = new TreeMap<>();

  /** The same values, by the hash of the id. */
  private final Map<Id, Held> byHash = new HashMap<>();

  private long eventTime = NEVER;

  private record Id(String segment, String decisionId) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int bySegment = segment.compareTo(other.segment);
      return bySegment != 0 ? bySegment : decisionId.compareTo(other.decisionId);
    }
  }

  /**
   * Joins the rewards of one id: their latest event time, when the id was decided last, and the
   * seqs of that decision and of the last eviction of the id.
   */
  private static final class Held {
    private final String name;
    private long latest;
    private long decided = NEVER;
    private long decisionSeq;
    private long evictionSeq;

    private Held(String name, long latest) {
      this.name = name;
      this.latest = latest;
    }
  }

  OpenRewards(long memoryBytes) {
    this.memoryBudget = new MemoryBudget(memoryBytes);
  }

  /**
   * Adds a reward that no output names.
   *
   * @throws MemoryBudget.ExceededException if memory does not suffice
   */
  void add(OffsetRange offsetRange, long offset) {
    memoryBudget.reserve(BYTES);
    offsets.computeIfAbsent(RecordPlace.of(offsetRange), any -> new TreeSet<>()).add(offset);
  }

  /** Checks all added rewards; reads nothing if there are none. */
  void check(CommittedLog log, InputRecords inputs, Horizons horizons, FindingsCollector findings) {
    if (offsets.isEmpty()) {
      return;
    }
    readRewards(log, inputs);
    readTimeAndDecisions(log);
    held.forEach(
        (id, rewards) -> {
          if (eventTime != NEVER && eventTime >= rewards.latest + horizons.longestEarly()) {
            findings.violated(
                Invariant.I2,
                rewards.name,
                "it was neither applied nor rejected, and every early-reward timeout has passed");
          } else if (rewards.decided != NEVER
              && eventTime < rewards.decided + horizons.shortestMemory()
              && rewards.evictionSeq < rewards.decisionSeq) {
            findings.violated(
                Invariant.I2,
                rewards.name,
                "it was neither applied nor rejected, and its decision is on the log");
          }
        });
  }

  private void readRewards(CommittedLog log, InputRecords inputs) {
    List<OffsetRange> slices = new ArrayList<>();
    for (OffsetRange offsetRange : log.slices(LogTopic.REWARDS)) {
      TreeSet<Long> wanted = offsets.get(RecordPlace.of(offsetRange));
      if (wanted != null) {
        slices.add(offsetRange.between(wanted.first(), wanted.last() + 1));
      }
    }
    try (LogReader reader = log.read(slices)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        TreeSet<Long> wanted = offsets.get(RecordPlace.of(at.slice()));
        Input input = wanted != null && wanted.contains(at.offset()) ? inputs.decode(at) : null;
        if (input != null) {
          String name = Change.decision(input.decisionId(), input.segment(), at.place());
          Held rewards =
              held.computeIfAbsent(
                  new Id(input.segment(), input.decisionId()),
                  id -> new Held(name, input.eventTime()));
          rewards.latest = Math.max(rewards.latest, input.eventTime());
          byHash.put(new Id(input.segment(), IdHash.of(input.decisionId()).hex()), rewards);
        }
      }
    }
  }

  private void readTimeAndDecisions(CommittedLog log) {
    List<OffsetRange> slices = new ArrayList<>(Sequences.slices(log));
    slices.addAll(log.slices(LogTopic.METRICS));
    log.forEach(
        slices,
        at -> {
          if (at.isChecked()) {
            take(at);
          }
        });
  }

  private void take(LogRecord at) {
    byte[] value = Payloads.value(at);
    try {
      switch (at.slice().topic()) {
        case DECISIONS -> take(Wire.DECISION.decode(value));
        case SEGMENT_EVENTS -> take(Wire.SEGMENT_EVENT.decode(value));
        default -> take(Wire.METRICS.decode(value));
      }
    } catch (WireException e) {
      return; // other checks report it
    }
  }

  private void take(Decision decision) {
    Held rewards = held.get(new Id(decision.segment(), decision.decisionId()));
    if (rewards != null && decision.isChosen()) { // other decisions have another retention
      rewards.decided = decision.eventTime();
      rewards.decisionSeq = decision.seq();
    }
  }

  private void take(SegmentEvent segmentEvent) {
    switch (segmentEvent.type()) {
      case DEDUP_ENTRY_EVICTED -> {
        Held rewards =
            byHash.get(
                new Id(segmentEvent.segment(), String.valueOf(segmentEvent.hashOfDecision())));
        if (rewards != null) {
          rewards.evictionSeq = segmentEvent.seq();
        }
      }
      case REWARD_TIMEOUT, WINDOW_CLOSED, SEGMENT_PASSIVATED ->
          eventTime = Math.max(eventTime, segmentEvent.eventTime());
      default -> {} // DECISION_EVICTED leaves a dedup entry
    }
  }

  private void take(SegmentMetrics metrics) {
    if (metrics.trigger() == MetricsTrigger.EVENT_TIME) {
      eventTime = Math.max(eventTime, metrics.eventTime());
    }
  }
}
