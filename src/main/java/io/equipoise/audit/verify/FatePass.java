package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.join.SegmentWithoutSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pass of {@link InputFates}: holds a window of input records and notes for each which
 * decisions, applied rewards and dead letters name it as their origin, and whether rightly.
 */
final class FatePass {
  /** Codes of contexts that can be read and have no decision. */
  private static final Set<String> UNANSWERED =
      Set.of(ErrorCode.TOO_MANY_SEGMENTS.name(), ErrorCode.OVERSIZED.name());

  /** Codes of contexts that a REPEATED decision answers. */
  private static final Set<String> REPEATED =
      Set.of(
          ErrorCode.DUPLICATE_CONTEXT.name(),
          ErrorCode.CONFLICTING_CONTEXT.name(),
          ErrorCode.REPEATED_CONTEXT.name());

  private final CommittedLog log;
  private final InputRecords inputs;
  private final Docket docket;
  private final boolean isFirst;
  private final KeptOutputs kept;
  private final boolean mayRepeat;
  private final LetterOpener opener;
  private final AppliedRewards applied;
  private final Map<Place, Slice> all = new HashMap<>();
  private final Map<Place, FateTable> tables = new LinkedHashMap<>();
  private final Map<Place, Long> frontiers = new HashMap<>();

  /**
   * Prepares a pass.
   *
   * @param isFirst whether to tell what is wrong with origins as such; else another pass does
   * @param kept since when retention has left the outputs
   * @param mayRepeat whether {@link RepeatedFates} judges what is there twice
   * @param opener opens dead letters that are sealed
   * @param applied judges rewards whose digests differ from those of their segment events
   */
  FatePass(
      CommittedLog log,
      InputRecords inputs,
      Docket docket,
      boolean isFirst,
      KeptOutputs kept,
      boolean mayRepeat,
      LetterOpener opener,
      AppliedRewards applied) {
    this.log = log;
    this.inputs = inputs;
    this.docket = docket;
    this.isFirst = isFirst;
    this.kept = kept;
    this.mayRepeat = mayRepeat;
    this.opener = opener;
    this.applied = applied;
    log.slices(LogTopic.CONTEXTS).forEach(slice -> all.put(Place.of(slice), slice));
    log.slices(LogTopic.REWARDS).forEach(slice -> all.put(Place.of(slice), slice));
  }

  /** Reads a window of inputs and all that names them. */
  Collection<FateTable> read(List<Slice> window) {
    window.forEach(slice -> tables.put(Place.of(slice), new FateTable(slice)));
    try (LogReader reader = log.read(window)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        put(at);
      }
    }
    List<Slice> outputs = new ArrayList<>(Sequences.slices(log));
    outputs.addAll(log.slices(LogTopic.DEAD_LETTER));
    try (LogReader reader = log.read(outputs)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        mark(at);
      }
    }
    applied.judge();
    return tables.values();
  }

  /**
   * Returns the offset behind the last record of an input partition that a judged record names. The
   * job had read all before it when it wrote that: a checkpoint never parts them.
   */
  long frontier(Slice slice) {
    return frontiers.getOrDefault(Place.of(slice), slice.begin());
  }

  private void put(LogRecord at) {
    Input input = inputs.decode(at);
    long payload = Payloads.digest(at.key(), at.value());
    FateTable table = tables.get(Place.of(at.slice()));
    int old = kept.flags(at.timestamp());
    if (table != null && input == null) {
      table.put(at.offset(), 0, payload, old);
    } else if (table != null) {
      int faulty = input.fault() == null ? 0 : FateTable.FAULTY;
      boolean hasDeadline = input instanceof ContextEvent context && context.deadline() != null;
      int deadline = hasDeadline ? FateTable.DEADLINE : 0;
      int flags = FateTable.DECODABLE | faulty | deadline | old;
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
        docket.violated(Invariant.I7, at.place(), "the dead letter cannot be read: " + e.fact());
      }
    }
  }

  private void mark(LogRecord at, Decision decision) {
    String key =
        "decision_id %s of segment %s (%s)"
            .formatted(decision.decisionId(), decision.segment(), at.place());
    long offset = decision.contextOffset();
    Place origin = new Place(String.valueOf(decision.contextTopic()), decision.contextPartition());
    FateTable table = find(Invariant.I1, at, key, origin, offset);
    if (table == null) {
      return;
    }
    if (!table.has(offset, FateTable.PRESENT)
        || table.identity(offset) != InputRecords.identity(decision)) {
      docket.violated(
          Invariant.I1, key, "it answers another context than the one at its origin " + offset);
    } else if (isAnsweredBefore(table, offset, decision)) {
      docket.violated(
          Invariant.I1, key, "its context at offset " + offset + " was answered before");
    }
    if (decision.isRepeated()) {
      table.flag(offset, FateTable.REPEATED);
      return;
    }
    if (decision.seq() == SegmentWithoutSpec.UNNUMBERED) {
      table.flag(offset, FateTable.UNNUMBERED);
    }
    if (decision.reason() == DecisionReason.REJECTED) {
      table.flag(offset, FateTable.REJECTED);
    } else if (decision.reason() == DecisionReason.DEADLINE_EXCEEDED
        && !table.has(offset, FateTable.DEADLINE)) {
      docket.violated(Invariant.I7, key, "it was refused as stale, and names no deadline");
    }
  }

  /** What changed no state is not withdrawn when a later attempt reads its context again. */
  private boolean isAnsweredBefore(FateTable table, long offset, Decision decision) {
    boolean isRepeatedBefore = table.has(offset, FateTable.REPEATED) && !mayRepeat;
    if (decision.isRepeated()) {
      return isRepeatedBefore || (table.taken(offset) > 0 && !mayRepeat);
    }
    boolean mayAnswerAgain = mayRepeat && table.has(offset, FateTable.UNNUMBERED);
    return isRepeatedBefore || (table.take(offset) > 1 && !mayAnswerAgain);
  }

  private void mark(LogRecord at, SegmentEvent segmentEvent) {
    String topic = segmentEvent.rewardTopic();
    Integer partition = segmentEvent.rewardPartition();
    Long offset = segmentEvent.rewardOffset();
    boolean isReward =
        segmentEvent.type() == SegmentEventType.REWARD_APPLIED
            || segmentEvent.type() == SegmentEventType.REWARD_BUFFERED;
    if (!isReward || topic == null || partition == null || offset == null) {
      return;
    }
    String id = String.valueOf(segmentEvent.decisionId());
    String key =
        "decision_id %s of segment %s (%s)".formatted(id, segmentEvent.segment(), at.place());
    FateTable table = find(Invariant.I2, at, key, new Place(topic, partition), offset);
    if (table == null) {
      return;
    }
    if (!table.has(offset, FateTable.PRESENT)) {
      docket.violated(
          Invariant.I2, key, "it applies another reward than the one at its origin " + offset);
      return;
    }
    if (table.identity(offset) != InputRecords.identity(segmentEvent)) {
      applied.add(key, segmentEvent, Place.of(table.slice()), offset);
    }
    if (table.take(offset) > 1) {
      docket.violated(Invariant.I2, key, "its reward at offset " + offset + " was applied before");
    }
  }

  private void mark(LogRecord at, DeadLetter letter) {
    Place origin = new Place(letter.topic(), letter.partition());
    boolean isInput = all.keySet().stream().anyMatch(one -> one.topic().equals(letter.topic()));
    if (!isInput) {
      return; // a spec or a row of causal bounds
    }
    long offset = letter.offset();
    FateTable table = find(Invariant.I7, at, at.place(), origin, offset);
    if (table == null) {
      return;
    }
    String key = table.slice().place(offset);
    if (!table.has(offset, FateTable.PRESENT)) {
      docket.violated(Invariant.I7, key, "its dead letter at " + at.place() + " holds other bytes");
    } else {
      compare(at, letter, table, offset);
    }
    if (table.letter(offset) > 1 && !mayRepeat) {
      docket.violated(Invariant.I7, key, "it is in the dead letter twice, again at " + at.place());
    }
    if (UNANSWERED.contains(letter.code())) {
      table.flag(offset, FateTable.UNANSWERED);
    }
    if (REPEATED.contains(letter.code())) {
      table.flag(offset, FateTable.REPEATED_BY_LETTER);
    }
  }

  private void compare(LogRecord at, DeadLetter sealed, FateTable table, long offset) {
    String key = table.slice().place(offset);
    DeadLetter letter = opener.open(sealed, key, at);
    if (letter != null && !holds(letter, table, offset)) {
      docket.violated(Invariant.I7, key, "its dead letter at " + at.place() + " holds other bytes");
    }
  }

  private boolean holds(DeadLetter letter, FateTable table, long offset) {
    return letter.truncated() == null
        ? Payloads.digest(letter.key(), letter.value()) == table.payload(offset)
        : CutLetter.isOf(letter, inputs.at(table.slice(), offset));
  }

  /** Returns the table that has a record's origin, or null where none of this pass has. */
  private @Nullable FateTable find(
      Invariant invariant, LogRecord at, String key, Place origin, long offset) {
    Slice slice = all.get(origin);
    if (slice == null || offset < 0 || offset >= slice.reach()) {
      if (isFirst) {
        String named = origin.topic() + "/" + origin.partition() + "/" + offset;
        docket.violated(invariant, key, "its origin " + named + " is no record that was read");
      }
      return null;
    }
    if (at.isJudged()) {
      frontiers.merge(origin, offset + 1, Math::max);
    }
    FateTable table = tables.get(origin);
    return table != null && table.covers(offset) ? table : null;
  }
}
