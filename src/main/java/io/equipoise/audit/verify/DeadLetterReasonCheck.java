package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decoded;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.InputFault;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentChange;
import io.equipoise.event.WriterSchemas;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.ReadingFaults;
import io.equipoise.segment.state.CompiledSpec;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the input of a dead letter has the error that the dead letter names (I7), if that
 * follows from its bytes, or from its bytes and a spec. In the second case, one of the specs that
 * the segment ever had must reject the input with the same code, variables and limit. Messages are
 * not compared. An unknown code leaves I7 unchecked.
 *
 * <p>The maximum record size is an option of the job: the {@code limitBytes} of a dead letter is
 * accepted if it is a valid value of that option. A dead letter that repeats a rejection after a
 * restart has neither variables nor a limit.
 *
 * <p>The bytes of a record in Confluent's format are read with the schema that the registry gives
 * now. If the job could not read them, and they can be read now, I7 has a note.
 *
 * <p>TOO_MANY_SEGMENTS is valid only for a segment without state: {@link SegmentsWithState}.
 *
 * <p>Not checked: errors that depend on state or clock (EVENT_TIME_IN_FUTURE, EVENT_TIME_TOO_OLD,
 * UNKNOWN_SEGMENT, UNKNOWN_ARM, NO_ROOM, LATE_REWARD, DUPLICATE_REWARD, ...). Nor dead letters that
 * cannot be opened, nor errors that depend on a spec if its text is missing or retention removed
 * segment events.
 *
 * <p>State: the first reading of the dead letters asks {@code specs} and {@code withState} for
 * segments, which are then read from the log. Both are valid in the second reading, which reports.
 */
final class DeadLetterReasonCheck {
  private static final Set<ErrorCode> OF_BYTES =
      EnumSet.of(
          ErrorCode.TOMBSTONE,
          ErrorCode.EMPTY,
          ErrorCode.OVERSIZED,
          ErrorCode.UNFRAMED,
          ErrorCode.UNKNOWN_SCHEMA,
          ErrorCode.MALFORMED,
          ErrorCode.INVALID_ID,
          ErrorCode.TIME_OUT_OF_RANGE);

  private static final Set<ErrorCode> OF_SCHEMA =
      EnumSet.of(ErrorCode.UNKNOWN_SCHEMA, ErrorCode.MALFORMED);

  private static final Set<ErrorCode> OF_SPEC =
      EnumSet.of(
          ErrorCode.NOT_FINITE,
          ErrorCode.MISSING_VARIABLE,
          ErrorCode.UNKNOWN_LEVEL,
          ErrorCode.OUT_OF_RANGE,
          ErrorCode.CANDIDATES_UNSUPPORTED,
          ErrorCode.CANDIDATES_INVALID,
          ErrorCode.MISSING_REWARD_ID,
          ErrorCode.REWARD_OUT_OF_RANGE,
          ErrorCode.MISSING_MEDIATOR);

  private final CommittedLog log;
  private final InputRecords inputs;
  private final SpecCatalog specCatalog;
  private final FindingsCollector findings;
  private final Unredactor unredactor;
  private final SpecsOfSegments specs;
  private final SegmentsWithState withState;
  private final Map<RecordPlace, OffsetRange> slices = new HashMap<>();

  private int withOtherSchema;

  /**
   * Prepares the check.
   *
   * @param log the log of all writer epochs, with withdrawn records
   */
  DeadLetterReasonCheck(
      CommittedLog log,
      InputRecords inputs,
      SpecCatalog specCatalog,
      FindingsCollector findings,
      long memoryBytes,
      Unredactor unredactor) {
    this.log = log;
    this.inputs = inputs;
    this.specCatalog = specCatalog;
    this.findings = findings;
    this.unredactor = unredactor;
    MemoryBudget memoryBudget = new MemoryBudget(memoryBytes);
    this.specs = new SpecsOfSegments(memoryBudget);
    this.withState = new SegmentsWithState(memoryBudget);
    log.slices(LogTopic.CONTEXTS)
        .forEach(offsetRange -> slices.put(RecordPlace.of(offsetRange), offsetRange));
    log.slices(LogTopic.REWARDS)
        .forEach(offsetRange -> slices.put(RecordPlace.of(offsetRange), offsetRange));
  }

  /** Runs the check; reads the dead letters twice, decisions and segment events at most twice. */
  void check() {
    try {
      DeadLetterOpener.read(
          log,
          (at, deadLetter) -> {
            if (at.isChecked()) {
              ask(deadLetter);
            }
          });
      specs.read(log);
      withState.read(log);
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException("too many segments reject inputs; give more --memory");
    }
    DeadLetterOpener.read(log, this::check);
    if (withOtherSchema > 0) {
      findings.note(
          Invariant.I7,
          "%d records could not be read with the answers that the schema registry gave the job, and can be with those that it gives now"
              .formatted(withOtherSchema));
    }
  }

  private void ask(DeadLetter deadLetter) {
    if (deadLetter.segment() != null && isOne(deadLetter, OF_SPEC)) {
      specs.ask(deadLetter.segment());
    } else if (deadLetter.segment() != null && isOfRoom(deadLetter)) {
      withState.ask(deadLetter.segment());
    }
  }

  private static boolean isOfRoom(DeadLetter deadLetter) {
    return deadLetter.code().equals(ErrorCode.TOO_MANY_SEGMENTS.name());
  }

  private static boolean isOversized(DeadLetter deadLetter) {
    return deadLetter.code().equals(ErrorCode.OVERSIZED.name());
  }

  private static boolean isOne(DeadLetter deadLetter, Set<ErrorCode> codes) {
    ErrorCode code = ErrorCode.of(deadLetter.code());
    return code != null && codes.contains(code);
  }

  private void check(LogRecord at, DeadLetter sealed) {
    OffsetRange offsetRange = slices.get(RecordPlace.of(sealed.source()));
    if (offsetRange == null || !at.isChecked()) {
      return;
    }
    String key = offsetRange.place(sealed.source().offset());
    boolean isOfSpec = isOne(sealed, OF_SPEC);
    if (ErrorCode.of(sealed.code()) == null) {
      findings.unchecked(
          Invariant.I7,
          key,
          "its dead letter at %s has code %s, which this version does not know; audit with the"
                  .formatted(at.place(), sealed.code())
              + " version that wrote it");
      return;
    }
    boolean isOfRoom = isOfRoom(sealed);
    boolean isCovered = isOfSpec || isOfRoom || isOne(sealed, OF_BYTES);
    DeadLetter deadLetter = isCovered ? opened(sealed) : null;
    Decoded decoded = deadLetter == null ? null : decoded(deadLetter, offsetRange);
    if (deadLetter == null || decoded == null) {
      return;
    }
    if (isOfRegistry(deadLetter) && !isSameFault(deadLetter, decoded)) {
      withOtherSchema++;
      return;
    }
    if (decoded instanceof Decoded.Bad bad) {
      DeadLetter due = bad.letter();
      compare(key, deadLetter, due.code(), says(deadLetter, due.variables(), due.limitBytes()));
      return;
    }
    Input input = ((Decoded.Good) decoded).input();
    InputFault fault = input.fault();
    if (isOversized(deadLetter)) {
      findings.violated(Invariant.I7, key, noSuchError(deadLetter));
    } else if (!input.segment().equals(deadLetter.segment())
        || !input.decisionId().equals(deadLetter.input().decisionId())) {
      findings.violated(Invariant.I7, key, "its dead letter names other ids");
    } else if (isOfRoom) {
      if (withState.had(
          input.segment(), RecordPlace.of(offsetRange), deadLetter.source().offset())) {
        findings.violated(
            Invariant.I7,
            key,
            "its dead letter has code %s, but its segment had state".formatted(deadLetter.code()));
      }
    } else if (fault != null) {
      compare(key, deadLetter, fault.code().name(), says(deadLetter, fault, input));
    } else if (isOfSpec) {
      compare(key, deadLetter, input);
    } else {
      findings.violated(Invariant.I7, key, noSuchError(deadLetter));
    }
  }

  /** A registry that answered otherwise then is no fault of the log. */
  private static boolean isOfRegistry(DeadLetter deadLetter) {
    return isOne(deadLetter, OF_SCHEMA)
        && deadLetter.segment() == null
        && WriterSchemas.isFramed(deadLetter.input().value());
  }

  private static boolean isSameFault(DeadLetter deadLetter, Decoded decoded) {
    return decoded instanceof Decoded.Bad bad && bad.letter().code().equals(deadLetter.code());
  }

  private void compare(String key, DeadLetter deadLetter, String code, boolean hasParameters) {
    if (!deadLetter.code().equals(code)) {
      findings.violated(
          Invariant.I7,
          key,
          "its dead letter has code " + deadLetter.code() + ", but its bytes give " + code);
    } else if (!hasParameters) {
      findings.violated(Invariant.I7, key, otherParameters(deadLetter));
    }
  }

  private static boolean says(DeadLetter deadLetter, InputFault due, Input input) {
    return says(deadLetter, due.variables(), due.limitBytes())
        || isRepeatedRejection(deadLetter, input);
  }

  private static boolean says(
      DeadLetter deadLetter, List<String> variables, @Nullable Integer limitBytes) {
    return !deadLetter.recovered()
        && deadLetter.variables().equals(variables)
        && Objects.equals(deadLetter.limitBytes(), limitBytes);
  }

  /** A later writer epoch repeats only the code that an earlier one published. */
  private static boolean isRepeatedRejection(DeadLetter deadLetter, Input input) {
    SegmentChange change = deadLetter.change();
    return deadLetter.recovered()
        && input instanceof ContextEvent
        && change != null
        && change.writerEpoch() > 0
        && deadLetter.variables().isEmpty()
        && deadLetter.limitBytes() == null;
  }

  /** Only the first rejection for size names the limit. */
  private static boolean mayRepeatARejectionForSize(DeadLetter deadLetter, Input input) {
    return deadLetter.code().equals(ErrorCode.CANDIDATES_INVALID.name())
        && ((ContextEvent) input).candidates() != null
        && isRepeatedRejection(deadLetter, input);
  }

  private static String noSuchError(DeadLetter deadLetter) {
    return "its dead letter has code " + deadLetter.code() + ", but it has no such error";
  }

  private static String otherParameters(DeadLetter deadLetter) {
    return "its dead letter names other variables or another limit than follow from "
        + deadLetter.code();
  }

  /** If the text of one of the segment's specs is missing, nothing is reported. */
  private void compare(String key, DeadLetter deadLetter, Input input) {
    Set<String> known = specs.of(input.segment());
    if (known == null || mayRepeatARejectionForSize(deadLetter, input)) {
      return;
    }
    boolean isFault = false;
    for (String hash : known) {
      CompiledSpec spec = specCatalog.specs().byHash(hash);
      InputFault fault = spec == null ? null : ReadingFaults.of(input, spec);
      boolean isIt = fault != null && fault.code().name().equals(deadLetter.code());
      if (spec == null || (fault != null && isIt && says(deadLetter, fault, input))) {
        return;
      }
      isFault |= isIt;
    }
    findings.violated(
        Invariant.I7, key, isFault ? otherParameters(deadLetter) : noSuchError(deadLetter));
  }

  private @Nullable DeadLetter opened(DeadLetter sealed) {
    try {
      return unredactor.reveal(sealed);
    } catch (CiphertextException e) {
      return null; // I7 reports it
    }
  }

  /** The limit is an option of the job; the log names it only where a record exceeds it. */
  private static int maxRecordBytes(DeadLetter deadLetter) {
    Integer limit = deadLetter.limitBytes();
    boolean isOfSize =
        isOversized(deadLetter) || deadLetter.code().equals(ErrorCode.CANDIDATES_INVALID.name());
    return isOfSize && limit != null && limit >= InputDecoder.LEAST_MAX_BYTES
        ? limit
        : Integer.MAX_VALUE;
  }

  /** Decodes the bytes of a dead letter; if they are truncated, those of its origin. */
  private @Nullable Decoded decoded(DeadLetter deadLetter, OffsetRange offsetRange) {
    LogTopic kind = offsetRange.topic();
    Origin origin = deadLetter.source().origin();
    InputDecoder decoder = new InputDecoder(maxRecordBytes(deadLetter), log.writers());
    if (deadLetter.input().truncated() == null) {
      return decoder.decode(
          kind, deadLetter.input().key(), deadLetter.input().value(), origin, Long.MAX_VALUE);
    }
    LogRecord whole = inputs.at(offsetRange, deadLetter.source().offset());
    return whole == null
        ? null
        : decoder.decode(kind, whole.key(), whole.value(), origin, Long.MAX_VALUE);
  }
}
