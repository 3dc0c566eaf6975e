package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Source;
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
 * Checks inputs of at-least-once delivery that have several dispositions in the surviving history:
 * rejected more than once, or rejected and accepted (I2, I7). A writer epoch reads an input once; a
 * later one reads it again only if its checkpoint is earlier. So for every disposition except that
 * of the last epoch, a later epoch must have started from a checkpoint without it. A change that
 * survives is in all later checkpoints.
 *
 * <p>A dead letter that names no writer epoch (its input reached no segment) may be of any epoch,
 * unless it was written before the first one.
 *
 * <p>State: the inputs added since the last check, at most {@value #BATCH}. {@link #check} reads
 * their dispositions from the outputs and forgets both.
 */
final class RepeatedDispositions {
  private static final int BATCH = 50_000;

  private final CommittedLog log;
  private final InputRecords inputs;
  private final FindingsCollector findings;
  private final WriterEpochHistory history;
  private final Map<RecordPlace, TreeMap<Long, List<Disposition>>> dispositions = new HashMap<>();
  private int held;

  /**
   * Describes one record that names an input.
   *
   * @param by its writer; null if the record does not name it
   */
  private record Disposition(LogRecord at, boolean isDeadLetter, @Nullable Place by) {
    private int writerEpoch() {
      return by == null ? Integer.MAX_VALUE : by.writerEpoch();
    }
  }

  RepeatedDispositions(
      CommittedLog log,
      InputRecords inputs,
      FindingsCollector findings,
      WriterEpochHistory history) {
    this.log = log;
    this.inputs = inputs;
    this.findings = findings;
    this.history = history;
  }

  /** Adds the records of a table before an offset. */
  void add(DispositionTable table, long end) {
    if (history.isPlain()) {
      return; // repetitions are violations, which DispositionScan reports
    }
    OffsetRange offsetRange = table.slice();
    for (long offset = offsetRange.begin(); offset < Math.min(end, offsetRange.reach()); offset++) {
      int deadLetters = table.deadLetters(offset);
      boolean isTaken = table.taken(offset) > 0 && !table.has(offset, DispositionTable.REJECTED);
      if (deadLetters + (isTaken ? 1 : 0) > 1 && !table.has(offset, DispositionTable.OLD)) {
        dispositions
            .computeIfAbsent(RecordPlace.of(offsetRange), any -> new TreeMap<>())
            .put(offset, new ArrayList<>(2));
        if (++held == BATCH) {
          check();
        }
      }
    }
  }

  /** Checks all added inputs; reads the outputs once more, unless there are none. */
  void check() {
    if (held == 0) {
      return;
    }
    List<OffsetRange> outputs = new ArrayList<>(Sequences.slices(log));
    outputs.addAll(log.slices(LogTopic.DEAD_LETTER));
    log.forEach(outputs, this::take);
    for (LogTopic topic : List.of(LogTopic.CONTEXTS, LogTopic.REWARDS)) {
      for (OffsetRange offsetRange : log.slices(topic)) {
        dispositions
            .getOrDefault(RecordPlace.of(offsetRange), new TreeMap<>())
            .forEach((offset, found) -> check(offsetRange, offset, found));
      }
    }
    dispositions.clear();
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
      return; // other checks report it
    }
  }

  /** A rejected or repeated context has a dead letter, which is counted instead. */
  private void take(LogRecord at, Decision decision) {
    if (decision.reason() != DecisionReason.REJECTED && !decision.isRepeated()) {
      take(decision.source(), new Disposition(at, false, decision.place()));
    }
  }

  private void take(LogRecord at, SegmentEvent segmentEvent) {
    Source source = segmentEvent.source();
    if (source != null) {
      take(source, new Disposition(at, false, segmentEvent.place()));
    }
  }

  private void take(LogRecord at, DeadLetter deadLetter) {
    take(deadLetter.source(), new Disposition(at, true, deadLetter.place()));
  }

  private void take(Source source, Disposition disposition) {
    Map<Long, List<Disposition>> there = dispositions.get(RecordPlace.of(source));
    List<Disposition> found = there == null ? null : there.get(source.offset());
    if (found != null) {
      found.add(disposition);
    }
  }

  private void check(OffsetRange offsetRange, long offset, List<Disposition> found) {
    found.sort(Comparator.comparing(Disposition::writerEpoch));
    for (int i = 0; i + 1 < found.size(); i++) {
      if (!mayPrecede(found.get(i), found.get(i + 1))) {
        report(offsetRange, offset, found.get(i), found.get(i + 1));
        return;
      }
    }
  }

  private boolean mayPrecede(Disposition one, Disposition later) {
    Place by = one.by;
    Place next = later.by;
    if (history.isBeforeAll(one.at.timestamp()) || history.isBeforeAll(later.at.timestamp())) {
      return false;
    }
    if (by == null || next == null) {
      return by == null || by.writerEpoch() > 0;
    }
    return one.isDeadLetter && history.mayForget(by, next.writerEpoch());
  }

  private void report(OffsetRange offsetRange, long offset, Disposition one, Disposition other) {
    boolean isContext = offsetRange.topic() == LogTopic.CONTEXTS;
    String again = one.isDeadLetter ? other.at.place() : one.at.place();
    if (one.isDeadLetter && other.isDeadLetter) {
      findings.violated(
          Invariant.I7,
          inputs.name(offsetRange, offset),
          "it has a second dead letter at " + again);
    } else {
      findings.violated(
          isContext ? Invariant.I7 : Invariant.I2,
          inputs.name(offsetRange, offset),
          (isContext ? "it was accepted" : "it was applied")
              + " at %s and has a dead letter".formatted(again));
    }
  }
}
