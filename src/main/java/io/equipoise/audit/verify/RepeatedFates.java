package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
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
final class RepeatedFates {
  private static final int BATCH = 50_000;

  private final CommittedLog log;
  private final InputRecords inputs;
  private final Docket docket;
  private final WriterEpochHistory history;
  private final Map<Place, TreeMap<Long, List<Fate>>> fates = new HashMap<>();
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

  RepeatedFates(CommittedLog log, InputRecords inputs, Docket docket, WriterEpochHistory history) {
    this.log = log;
    this.inputs = inputs;
    this.docket = docket;
    this.history = history;
  }

  /** Takes in the records of a table before an offset. */
  void add(FateTable table, long end) {
    if (history.isPlain()) {
      return; // nothing may repeat, and others tell
    }
    Slice slice = table.slice();
    for (long offset = slice.begin(); offset < Math.min(end, slice.reach()); offset++) {
      int letters = table.letters(offset);
      boolean isTaken = table.taken(offset) > 0 && !table.has(offset, FateTable.REJECTED);
      if (letters + (isTaken ? 1 : 0) > 1 && !table.has(offset, FateTable.OLD)) {
        fates
            .computeIfAbsent(Place.of(slice), any -> new TreeMap<>())
            .put(offset, new ArrayList<>(2));
        if (++held == BATCH) {
          judge();
        }
      }
    }
  }

  /** Judges what was taken in; reads the outputs once more, unless that is nothing. */
  void judge() {
    if (held == 0) {
      return;
    }
    List<Slice> outputs = new ArrayList<>(Sequences.slices(log));
    outputs.addAll(log.slices(LogTopic.DEAD_LETTER));
    try (LogReader reader = log.read(outputs)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        take(at);
      }
    }
    for (LogTopic topic : List.of(LogTopic.CONTEXTS, LogTopic.REWARDS)) {
      for (Slice slice : log.slices(topic)) {
        fates
            .getOrDefault(Place.of(slice), new TreeMap<>())
            .forEach((offset, found) -> judge(slice, offset, found));
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
    Map<Long, List<Fate>> there = fates.get(new Place(topic, partition));
    List<Fate> found = there == null ? null : there.get(offset);
    if (found != null) {
      found.add(fate);
    }
  }

  private void judge(Slice slice, long offset, List<Fate> found) {
    found.sort(Comparator.comparing(Fate::writerEpoch));
    for (int i = 0; i + 1 < found.size(); i++) {
      if (!mayPrecede(found.get(i), found.get(i + 1))) {
        tell(slice, offset, found.get(i), found.get(i + 1));
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

  private void tell(Slice slice, long offset, Fate one, Fate other) {
    boolean isContext = slice.topic() == LogTopic.CONTEXTS;
    String again = one.isLetter ? other.at.place() : one.at.place();
    if (one.isLetter && other.isLetter) {
      docket.violated(
          Invariant.I7,
          inputs.name(slice, offset),
          "it is in the dead letter twice, again at " + again);
    } else {
      docket.violated(
          isContext ? Invariant.I7 : Invariant.I2,
          inputs.name(slice, offset),
          (isContext ? "it was answered as good" : "it was applied")
              + " at %s and is in the dead letter".formatted(again));
    }
  }
}
