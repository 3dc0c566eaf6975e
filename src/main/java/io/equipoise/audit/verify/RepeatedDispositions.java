package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges the inputs of at-least-once delivery that have several fates in the surviving history:
 * refused more than once, or refused and taken (I2, I7). An attempt reads an input once, and again
 * only what was read after the checkpoint that it began with. So of all fates but that of the last
 * attempt, a later attempt must have begun with a checkpoint that knew nothing of it; and a fate
 * that is a change and survives was in all of them.
 *
 * <p>A letter that does not say who wrote it (what no segment saw, and those of versions that did
 * not tell) is taken for one of any attempt, unless it was written before there were attempts.
 */
final class RepeatedDispositions {
  private static final int BATCH = 50_000;

  private final CommittedLog log;
  private final InputRecords inputs;
  private final FindingsCollector findingsCollector;
  private final WriterEpochHistory history;
  private final Map<RecordPlace, TreeMap<Long, List<Fate>>> fates = new HashMap<>();
  private int held;

  /**
   * One record that names an input.
   *
   * @param by what wrote it; null if that is not told
   */
  private record Fate(LogRecord at, boolean isLetter, @Nullable By by) {
    private int writerEpoch() {
      return by == null ? Integer.MAX_VALUE : by.writerEpoch();
    }
  }

  private record By(String segment, int writerEpoch, long seq) {}

  RepeatedDispositions(
      CommittedLog log,
      InputRecords inputs,
      FindingsCollector findingsCollector,
      WriterEpochHistory history) {
    this.log = log;
    this.inputs = inputs;
    this.findingsCollector = findingsCollector;
    this.history = history;
  }

  /** Takes in the records of a table before an offset. */
  void add(DispositionTable table, long end) {
    if (history.isPlain()) {
      return; // nothing may repeat, and others tell
    }
    OffsetRange offsetRange = table.slice();
    for (long offset = offsetRange.begin(); offset < Math.min(end, offsetRange.reach()); offset++) {
      int letters = table.deadLetters(offset);
      boolean isTaken = table.taken(offset) > 0 && !table.has(offset, DispositionTable.REJECTED);
      if (letters + (isTaken ? 1 : 0) > 1 && !table.has(offset, DispositionTable.OLD)) {
        fates
            .computeIfAbsent(RecordPlace.of(offsetRange), any -> new TreeMap<>())
            .put(offset, new ArrayList<>(2));
        if (++held == BATCH) {
          check();
        }
      }
    }
  }

  /** Judges what was taken in; reads the outputs once more, unless that is nothing. */
  void check() {
    if (held == 0) {
      return;
    }
    List<OffsetRange> outputs = new ArrayList<>(Sequences.slices(log));
    outputs.addAll(log.slices(LogTopic.DEAD_LETTER));
    try (LogReader reader = log.read(outputs)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        take(at);
      }
    }
    for (LogTopic topic : List.of(LogTopic.CONTEXTS, LogTopic.REWARDS)) {
      for (OffsetRange offsetRange : log.slices(topic)) {
        fates
            .getOrDefault(RecordPlace.of(offsetRange), new TreeMap<>())
            .forEach((offset, found) -> check(offsetRange, offset, found));
      }
    }
    fates.clear();
    held = 0;
  }

  private void take(LogRecord at) {
    byte[] value = Payloads.value(at);
    try {
      switch (at.slice().topic()) {
        case DECISIONS -> take(at, Wire.DECISION.decode(value));
        case SEGMENT_EVENTS -> take(at, Wire.SEGMENT_EVENT.decode(value));
        default -> take(at, Wire.DEAD_LETTER.decode(value));
      }
    } catch (WireException e) {
      return; // other judges tell
    }
  }

  /** A rejected or repeated context has its letter besides. */
  private void take(LogRecord at, Decision decision) {
    if (decision.reason() != DecisionReason.REJECTED && !decision.isRepeated()) {
      By by = new By(decision.segment(), decision.writerEpoch(), decision.seq());
      String topic = String.valueOf(decision.contextTopic());
      take(topic, decision.contextPartition(), decision.contextOffset(), new Fate(at, false, by));
    }
  }

  private void take(LogRecord at, SegmentEvent segmentEvent) {
    String topic = segmentEvent.rewardTopic();
    Integer partition = segmentEvent.rewardPartition();
    Long offset = segmentEvent.rewardOffset();
    if (topic != null && partition != null && offset != null) {
      By by = new By(segmentEvent.segment(), segmentEvent.writerEpoch(), segmentEvent.seq());
      take(topic, partition, offset, new Fate(at, false, by));
    }
  }

  private void take(LogRecord at, DeadLetter letter) {
    String segment = letter.segment();
    Integer writerEpoch = letter.writerEpoch();
    Long seq = letter.seq();
    By by =
        segment == null || writerEpoch == null || seq == null
            ? null
            : new By(segment, writerEpoch, seq);
    take(letter.topic(), letter.partition(), letter.offset(), new Fate(at, true, by));
  }

  private void take(String topic, int partition, long offset, Fate fate) {
    Map<Long, List<Fate>> there = fates.get(new RecordPlace(topic, partition));
    List<Fate> found = there == null ? null : there.get(offset);
    if (found != null) {
      found.add(fate);
    }
  }

  private void check(OffsetRange offsetRange, long offset, List<Fate> found) {
    found.sort(Comparator.comparing(Fate::writerEpoch));
    for (int i = 0; i + 1 < found.size(); i++) {
      if (!mayPrecede(found.get(i), found.get(i + 1))) {
        tell(offsetRange, offset, found.get(i), found.get(i + 1));
        return;
      }
    }
  }

  private boolean mayPrecede(Fate one, Fate later) {
    By by = one.by;
    By next = later.by;
    if (history.isBeforeAll(one.at.timestamp()) || history.isBeforeAll(later.at.timestamp())) {
      return false;
    }
    if (by == null || next == null) {
      return by == null || by.writerEpoch() > 0;
    }
    return one.isLetter
        && history.mayForget(by.segment(), by.writerEpoch(), by.seq(), next.writerEpoch());
  }

  private void tell(OffsetRange offsetRange, long offset, Fate one, Fate other) {
    boolean isContext = offsetRange.topic() == LogTopic.CONTEXTS;
    String again = one.isLetter ? other.at.place() : one.at.place();
    if (one.isLetter && other.isLetter) {
      findingsCollector.violated(
          Invariant.I7,
          inputs.name(offsetRange, offset),
          "it is in the dead letter twice, again at " + again);
    } else {
      findingsCollector.violated(
          isContext ? Invariant.I7 : Invariant.I2,
          inputs.name(offsetRange, offset),
          (isContext ? "it was answered as good" : "it was applied")
              + " at %s and is in the dead letter".formatted(again));
    }
  }
}
