package io.equipoise.audit.verify;

import static java.util.Objects.requireNonNull;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Source;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Marks, for a window of input records, which decisions, applied rewards and dead letters name each
 * record as their origin, and checks that they match it: one pass of {@link InputDispositions}.
 *
 * <p>State: the tables of the window, and by input partition the frontier and the last removed
 * origin. {@link #read} fills them once; {@link #frontier} and {@link #noteUnread} are valid after
 * it.
 */
final class DispositionPass {
  /** Codes of contexts that can be decoded and get no decision. */
  private static final Set<String> UNANSWERED = Set.of(ErrorCode.OVERSIZED.name());

  /** Codes of contexts that get a REPEATED decision. */
  private static final Set<String> REPEATED =
      Set.of(
          ErrorCode.DUPLICATE_CONTEXT.name(),
          ErrorCode.CONFLICTING_CONTEXT.name(),
          ErrorCode.REPEATED_CONTEXT.name());

  private final CommittedLog log;
  private final InputRecords inputs;
  private final FindingsCollector findings;
  private final boolean isFirst;
  private final KeptOutputs kept;
  private final boolean mayRepeat;
  private final DeadLetterOpener opener;
  private final AppliedRewards applied;
  private final Map<RecordPlace, OffsetRange> all = new HashMap<>();
  private final Map<RecordPlace, DispositionTable> tables = new LinkedHashMap<>();
  private final Map<RecordPlace, Long> frontiers = new HashMap<>();

  /** The last origin of an output that retention has removed, by input partition. */
  private final Map<RecordPlace, Long> removed = new LinkedHashMap<>();

  /**
   * Prepares a pass.
   *
   * @param isFirst whether this pass reports invalid origins and undecodable dead letters
   * @param kept since when retention has kept the outputs
   * @param mayRepeat whether {@link RepeatedDispositions} checks repeated dispositions
   * @param opener opens encrypted dead letters
   * @param applied checks rewards whose digest differs from that of their segment event
   */
  DispositionPass(
      CommittedLog log,
      InputRecords inputs,
      FindingsCollector findings,
      boolean isFirst,
      KeptOutputs kept,
      boolean mayRepeat,
      DeadLetterOpener opener,
      AppliedRewards applied) {
    this.log = log;
    this.inputs = inputs;
    this.findings = findings;
    this.isFirst = isFirst;
    this.kept = kept;
    this.mayRepeat = mayRepeat;
    this.opener = opener;
    this.applied = applied;
    log.slices(LogTopic.CONTEXTS)
        .forEach(offsetRange -> all.put(RecordPlace.of(offsetRange), offsetRange));
    log.slices(LogTopic.REWARDS)
        .forEach(offsetRange -> all.put(RecordPlace.of(offsetRange), offsetRange));
  }

  /** Reads a window of inputs and all outputs. */
  Collection<DispositionTable> read(List<OffsetRange> window) {
    window.forEach(
        offsetRange -> tables.put(RecordPlace.of(offsetRange), new DispositionTable(offsetRange)));
    log.forEach(window, this::put);
    List<OffsetRange> outputs = new ArrayList<>(Sequences.slices(log));
    outputs.addAll(log.slices(LogTopic.DEAD_LETTER));
    log.forEach(outputs, this::mark);
    applied.check();
    return tables.values();
  }

  /**
   * Returns the offset after the last record of an input partition that a checked output names. The
   * job had read everything before it, because a checkpoint contains a prefix of each partition.
   */
  long frontier(OffsetRange offsetRange) {
    return frontiers.getOrDefault(RecordPlace.of(offsetRange), offsetRange.begin());
  }

  /**
   * Notes the offsets that retention has removed and that no output names, after one that has an
   * output: the job may never have read their records. Some may be the marks of transactions.
   */
  void noteUnread() {
    removed.forEach(
        (place, last) -> {
          OffsetRange left = requireNonNull(all.get(place));
          if (last + 1 < left.begin()) {
            findings.note(
                left.topic() == LogTopic.CONTEXTS ? Invariant.I1 : Invariant.I2,
                "retention has removed %s/%d from offset %d to %d, and no output that is left names a record there: was the job away?"
                    .formatted(left.name(), left.partition(), last + 1, left.begin() - 1));
          }
        });
  }

  private void put(LogRecord at) {
    Input input = inputs.decode(at);
    long payload = Payloads.digest(at.key(), at.value());
    DispositionTable table = tables.get(RecordPlace.of(at.slice()));
    int old = kept.flags(at.timestamp());
    if (table != null && input == null) {
      table.put(at.offset(), 0, payload, old);
    } else if (table != null) {
      int faulty = input.fault() == null ? 0 : DispositionTable.FAULTY;
      boolean hasDeadline = input instanceof ContextEvent context && context.deadline() != null;
      int deadline = hasDeadline ? DispositionTable.DEADLINE : 0;
      int flags = DispositionTable.DECODABLE | faulty | deadline | old;
      table.put(at.offset(), InputRecords.identity(input), payload, flags);
    }
  }

  private void mark(LogRecord at) {
    try {
      switch (at.slice().topic()) {
        case DECISIONS -> mark(at, Wire.DECISION.decode(Payloads.value(at)));
        case SEGMENT_EVENTS -> mark(at, Wire.SEGMENT_EVENT.decode(Payloads.value(at)));
        default -> mark(at, Wire.DEAD_LETTER.decode(Payloads.value(at)));
      }
    } catch (WireException e) {
      if (isFirst && at.slice().topic() == LogTopic.DEAD_LETTER) {
        findings.violated(Invariant.I7, at.place(), "the dead letter cannot be read: " + e.fact());
      }
    }
  }

  private void mark(LogRecord at, Decision decision) {
    String key = Change.decision(decision.decisionId(), decision.segment(), at.place());
    long offset = decision.source().offset();
    RecordPlace origin = RecordPlace.of(decision.source());
    DispositionTable table = find(Invariant.I1, at, key, origin, offset);
    if (table == null) {
      return;
    }
    if (!table.has(offset, DispositionTable.PRESENT)
        || table.identity(offset) != InputRecords.identity(decision)) {
      findings.violated(Invariant.I1, key, "it does not match the context at its origin " + offset);
    } else if (isAnsweredBefore(table, offset, decision)) {
      findings.violated(
          Invariant.I1, key, "its context at offset " + offset + " has an earlier decision");
    }
    if (decision.isRepeated()) {
      table.flag(offset, DispositionTable.REPEATED);
      return;
    }
    if (decision.seq() == SegmentWithoutSpec.UNNUMBERED) {
      table.flag(offset, DispositionTable.UNNUMBERED);
    }
    if (decision.reason() == DecisionReason.REJECTED) {
      table.flag(offset, DispositionTable.REJECTED);
    } else if (decision.reason() == DecisionReason.DEADLINE_EXCEEDED
        && !table.has(offset, DispositionTable.DEADLINE)) {
      findings.violated(
          Invariant.I7, key, "its reason is DEADLINE_EXCEEDED, but its context has no deadline");
    }
  }

  /** A decision without seq is not withdrawn when a later writer epoch reads its context again. */
  private boolean isAnsweredBefore(DispositionTable table, long offset, Decision decision) {
    boolean isRepeatedBefore = table.has(offset, DispositionTable.REPEATED) && !mayRepeat;
    if (decision.isRepeated()) {
      return isRepeatedBefore || (table.taken(offset) > 0 && !mayRepeat);
    }
    boolean mayAnswerAgain = mayRepeat && table.has(offset, DispositionTable.UNNUMBERED);
    return isRepeatedBefore || (table.take(offset) > 1 && !mayAnswerAgain);
  }

  private void mark(LogRecord at, SegmentEvent segmentEvent) {
    Source source = segmentEvent.source();
    if (source == null) {
      return;
    }
    long offset = source.offset();
    String id = String.valueOf(segmentEvent.decisionId());
    String key = Change.decision(id, segmentEvent.segment(), at.place());
    DispositionTable table = find(Invariant.I2, at, key, RecordPlace.of(source), offset);
    if (table == null) {
      return;
    }
    if (!table.has(offset, DispositionTable.PRESENT)) {
      findings.violated(Invariant.I2, key, "it does not match the reward at its origin " + offset);
      return;
    }
    if (table.identity(offset) != InputRecords.identity(segmentEvent)) {
      applied.add(key, segmentEvent, RecordPlace.of(table.slice()), offset);
    }
    if (table.take(offset) > 1) {
      findings.violated(
          Invariant.I2, key, "its reward at offset " + offset + " was applied before");
    }
  }

  private void mark(LogRecord at, DeadLetter deadLetter) {
    RecordPlace origin = RecordPlace.of(deadLetter.source());
    boolean isInput =
        all.keySet().stream().anyMatch(one -> one.topic().equals(deadLetter.source().topic()));
    if (!isInput) {
      return; // a spec or a row of causal bounds
    }
    long offset = deadLetter.source().offset();
    DispositionTable table = find(Invariant.I7, at, at.place(), origin, offset);
    if (table == null) {
      return;
    }
    String key = table.slice().place(offset);
    if (!table.has(offset, DispositionTable.PRESENT)) {
      findings.violated(
          Invariant.I7, key, "its dead letter at " + at.place() + " contains other bytes");
    } else {
      compare(at, deadLetter, table, offset);
    }
    if (table.deadLetter(offset) > 1 && !mayRepeat) {
      findings.violated(Invariant.I7, key, "it has a second dead letter at " + at.place());
    }
    if (UNANSWERED.contains(deadLetter.code())) {
      table.flag(offset, DispositionTable.UNANSWERED);
    }
    if (REPEATED.contains(deadLetter.code())) {
      table.flag(offset, DispositionTable.REPEATED_BY_DEAD_LETTER);
    }
  }

  private void compare(LogRecord at, DeadLetter sealed, DispositionTable table, long offset) {
    String key = table.slice().place(offset);
    DeadLetter deadLetter = opener.open(sealed, key, at);
    if (deadLetter != null && !hasBytesOf(deadLetter, table, offset)) {
      findings.violated(
          Invariant.I7, key, "its dead letter at " + at.place() + " contains other bytes");
    }
  }

  private boolean hasBytesOf(DeadLetter deadLetter, DispositionTable table, long offset) {
    return deadLetter.input().truncated() == null
        ? Payloads.digest(deadLetter.input().key(), deadLetter.input().value())
            == table.payload(offset)
        : TruncatedDeadLetter.isOf(deadLetter, inputs.at(table.slice(), offset));
  }

  /** Returns the table of this pass that contains an origin, or null. */
  private @Nullable DispositionTable find(
      Invariant invariant, LogRecord at, String key, RecordPlace origin, long offset) {
    OffsetRange offsetRange = all.get(origin);
    if (offsetRange == null || offset < 0 || offset >= offsetRange.reach()) {
      if (isFirst) {
        String named = origin.topic() + "/" + origin.partition() + "/" + offset;
        findings.violated(invariant, key, "its origin " + named + " is no offset of the log");
      }
      return null;
    }
    if (at.isChecked()) {
      frontiers.merge(origin, offset + 1, Math::max);
    }
    if (offset < offsetRange.begin()) {
      removed.merge(origin, offset, Math::max);
    }
    DispositionTable table = tables.get(origin);
    return table != null && table.covers(offset) ? table : null;
  }
}
