package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decoded;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.event.TopicKind;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Judges of the dead letters of inputs whether the record has the fault that its letter names (I7),
 * where that follows from its bytes, or from these and a spec: then one of those that its segment
 * was ever under must refuse it so, with the code, the variables and the limit of the letter.
 * Messages are for people and are not compared. A code that this version does not know leaves I7
 * unjudged.
 *
 * <p>How many bytes a record may have is an option of the job: the {@code limitBytes} of a letter
 * is believed if the option may have that value. A letter that repeats a refusal after a restart
 * has neither variables nor a limit.
 *
 * <p>A letter says TOO_MANY_SEGMENTS only of a segment without state: {@link SegmentsWithState}.
 *
 * <p>Not judged are faults that follow from the state or the clock (EVENT_TIME_IN_FUTURE,
 * EVENT_TIME_TOO_OLD, UNKNOWN_SEGMENT, UNKNOWN_ARM, NO_ROOM, LATE_REWARD, DUPLICATE_REWARD, ...),
 * letters that cannot be opened, and faults by a spec where its text is gone or retention has
 * removed segment events.
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
  private final FindingsCollector findingsCollector;
  private final Unredactor unredactor;
  private final SpecsOfSegments specs;
  private final SegmentsWithState withState;
  private final Map<RecordPlace, OffsetRange> slices = new HashMap<>();

  /**
   * Prepares to judge.
   *
   * @param log with all attempts, also what was withdrawn
   */
  DeadLetterReasonCheck(
      CommittedLog log,
      InputRecords inputs,
      SpecCatalog specCatalog,
      FindingsCollector findingsCollector,
      long memoryBytes,
      Unredactor unredactor) {
    this.log = log;
    this.inputs = inputs;
    this.specCatalog = specCatalog;
    this.findingsCollector = findingsCollector;
    this.unredactor = unredactor;
    MemoryBudget memoryBudget = new MemoryBudget(memoryBytes);
    this.specs = new SpecsOfSegments(memoryBudget);
    this.withState = new SegmentsWithState(memoryBudget);
    log.slices(LogTopic.CONTEXTS)
        .forEach(offsetRange -> slices.put(RecordPlace.of(offsetRange), offsetRange));
    log.slices(LogTopic.REWARDS)
        .forEach(offsetRange -> slices.put(RecordPlace.of(offsetRange), offsetRange));
  }

  /** Judges; reads the dead letters twice, decisions and segment events at most twice. */
  void check() {
    try {
      readDeadLetters((at, letter) -> ask(letter));
      specs.read(log);
      withState.read(log);
    } catch (MemoryBudget.ExceededException e) {
      throw new InconclusiveException("too many segments refuse inputs; give more --memory");
    }
    readDeadLetters(this::check);
  }

  private void readDeadLetters(BiConsumer<LogRecord, DeadLetter> to) {
    try (LogReader reader = log.read(log.slices(LogTopic.DEAD_LETTER))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        DeadLetter letter = at.isChecked() ? deadLetter(at) : null;
        if (letter != null) {
          to.accept(at, letter);
        }
      }
    }
  }

  private static @Nullable DeadLetter deadLetter(LogRecord at) {
    try {
      return Wire.DEAD_LETTER.decode(Payloads.value(at));
    } catch (WireException e) {
      return null; // told by those who judge the inputs
    }
  }

  private void ask(DeadLetter letter) {
    if (letter.segment() != null && isOne(letter, OF_SPEC)) {
      specs.ask(letter.segment());
    } else if (letter.segment() != null && isOfRoom(letter)) {
      withState.ask(letter.segment());
    }
  }

  private static boolean isOfRoom(DeadLetter letter) {
    return letter.code().equals(ErrorCode.TOO_MANY_SEGMENTS.name());
  }

  private static boolean isOversized(DeadLetter letter) {
    return letter.code().equals(ErrorCode.OVERSIZED.name());
  }

  private static boolean isOne(DeadLetter letter, Set<ErrorCode> codes) {
    ErrorCode code = ErrorCode.of(letter.code());
    return code != null && codes.contains(code);
  }

  private void check(LogRecord at, DeadLetter sealed) {
    OffsetRange offsetRange = slices.get(new RecordPlace(sealed.topic(), sealed.partition()));
    if (offsetRange == null) {
      return;
    }
    String key = offsetRange.place(sealed.offset());
    boolean isOfSpec = isOne(sealed, OF_SPEC);
    if (ErrorCode.of(sealed.code()) == null) {
      findingsCollector.unchecked(
          Invariant.I7,
          key,
          "its dead letter at %s says %s, which this version does not know; judge by the version"
                  .formatted(at.place(), sealed.code())
              + " that wrote it");
      return;
    }
    boolean isOfRoom = isOfRoom(sealed);
    boolean isJudged = isOfSpec || isOfRoom || isOne(sealed, OF_BYTES);
    DeadLetter letter = isJudged ? opened(sealed) : null;
    Decoded decoded = letter == null ? null : decoded(letter, offsetRange);
    if (letter == null || decoded == null) {
      return;
    }
    if (decoded instanceof Decoded.Bad bad) {
      DeadLetter due = bad.letter();
      compare(key, letter, due.code(), says(letter, due.variables(), due.limitBytes()));
      return;
    }
    Input input = ((Decoded.Good) decoded).input();
    InputFault fault = input.fault();
    if (isOversized(letter)) {
      findingsCollector.violated(Invariant.I7, key, noSuchFault(letter));
    } else if (!input.segment().equals(letter.segment())
        || !input.decisionId().equals(letter.decisionId())) {
      findingsCollector.violated(Invariant.I7, key, "its dead letter names other ids");
    } else if (isOfRoom) {
      if (withState.had(input.segment(), RecordPlace.of(offsetRange), letter.offset())) {
        findingsCollector.violated(
            Invariant.I7,
            key,
            "its dead letter says %s, and its segment had state".formatted(letter.code()));
      }
    } else if (fault != null) {
      compare(key, letter, fault.code().name(), says(letter, fault, input));
    } else if (isOfSpec) {
      compare(key, letter, input);
    } else {
      findingsCollector.violated(Invariant.I7, key, noSuchFault(letter));
    }
  }

  private void compare(String key, DeadLetter letter, String fault, boolean isSaid) {
    if (!letter.code().equals(fault)) {
      findingsCollector.violated(
          Invariant.I7, key, "its dead letter says " + letter.code() + ", its bytes " + fault);
    } else if (!isSaid) {
      findingsCollector.violated(Invariant.I7, key, otherParameters(letter));
    }
  }

  private static boolean says(DeadLetter letter, InputFault due, Input input) {
    return says(letter, due.variables(), due.limitBytes()) || isRepeatedRefusal(letter, input);
  }

  private static boolean says(
      DeadLetter letter, List<String> variables, @Nullable Integer limitBytes) {
    return !letter.recovered()
        && letter.variables().equals(variables)
        && Objects.equals(letter.limitBytes(), limitBytes);
  }

  /** A later attempt repeats the code that an earlier one has published, and knows no more. */
  private static boolean isRepeatedRefusal(DeadLetter letter, Input input) {
    Integer writerEpoch = letter.writerEpoch();
    return letter.recovered()
        && input instanceof ContextEvent
        && writerEpoch != null
        && writerEpoch > 0
        && letter.variables().isEmpty()
        && letter.limitBytes() == null;
  }

  /** Only the first refusal for size names the limit. */
  private static boolean mayBeOfASizeRefusedBefore(DeadLetter letter, Input input) {
    return letter.code().equals(ErrorCode.CANDIDATES_INVALID.name())
        && ((ContextEvent) input).candidates() != null
        && isRepeatedRefusal(letter, input);
  }

  private static String noSuchFault(DeadLetter letter) {
    return "its dead letter says " + letter.code() + ", and it has no such fault";
  }

  private static String otherParameters(DeadLetter letter) {
    return "its dead letter names other variables or another limit than follow from "
        + letter.code();
  }

  /** Where not all specs of a segment are at hand, nothing is certain. */
  private void compare(String key, DeadLetter letter, Input input) {
    Set<String> known = specs.of(input.segment());
    if (known == null || mayBeOfASizeRefusedBefore(letter, input)) {
      return;
    }
    boolean isFault = false;
    for (String hash : known) {
      CompiledSpec spec = specCatalog.specs().byHash(hash);
      InputFault fault = spec == null ? null : ReadingFaults.of(input, spec);
      boolean isIt = fault != null && fault.code().name().equals(letter.code());
      if (spec == null || (fault != null && isIt && says(letter, fault, input))) {
        return;
      }
      isFault |= isIt;
    }
    findingsCollector.violated(
        Invariant.I7, key, isFault ? otherParameters(letter) : noSuchFault(letter));
  }

  private @Nullable DeadLetter opened(DeadLetter sealed) {
    try {
      return unredactor.reveal(sealed);
    } catch (CiphertextException e) {
      return null; // I7 tells
    }
  }

  /** The limit is an option of the job that the log names only where something exceeds it. */
  private static int maxRecordBytes(DeadLetter letter) {
    Integer told = letter.limitBytes();
    boolean isOfSize =
        isOversized(letter) || letter.code().equals(ErrorCode.CANDIDATES_INVALID.name());
    return isOfSize && told != null && told >= InputDecoder.LEAST_MAX_BYTES
        ? told
        : Integer.MAX_VALUE;
  }

  /** Reads what a letter holds; a letter that was cut, at its origin. */
  private @Nullable Decoded decoded(DeadLetter letter, OffsetRange offsetRange) {
    TopicKind kind =
        offsetRange.topic() == LogTopic.CONTEXTS ? TopicKind.CONTEXTS : TopicKind.REWARDS;
    Origin origin =
        new Origin(letter.topic(), letter.partition(), letter.offset(), Origin.NO_APPEND_TIME);
    InputDecoder decoder = new InputDecoder(maxRecordBytes(letter));
    if (letter.truncated() == null) {
      return decoder.decode(kind, letter.key(), letter.value(), origin, Long.MAX_VALUE);
    }
    LogRecord whole = inputs.at(offsetRange, letter.offset());
    return whole == null
        ? null
        : decoder.decode(kind, whole.key(), whole.value(), origin, Long.MAX_VALUE);
  }
}
