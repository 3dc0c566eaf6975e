package io.equipoise.audit.verify;

import io.equipoise.audit.log.CannotJudgeException;
import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
import io.equipoise.event.AnswerSize;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decoded;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.Origin;
import io.equipoise.event.TopicKind;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.join.CompiledSpec;
import io.equipoise.join.Faults;
import io.equipoise.join.Faults.Fault;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SealedException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Judges of the dead letters of inputs whether the record has the fault that its letter names (I7),
 * where that follows from its bytes, or from these and a spec: then one of those that its segment
 * was ever under must refuse it so, and the letter must say of it what this version says. Of
 * letters of older versions, which may have put it otherwise, only the code is compared. A code
 * that this version does not know leaves I7 unjudged.
 *
 * <p>How many bytes a record or an answer may have is an option of the job: the limit that a letter
 * tells is taken as told if the option may be that; one that repeats the refusal of an answer after
 * a restart tells none.
 *
 * <p>Not judged are faults that follow from the state or the clock (FUTURE, EVENT_TIME_TOO_OLD,
 * UNKNOWN_SEGMENT, UNKNOWN_ARM, NO_ROOM, LATE, DUPLICATE, ...), letters that cannot be opened, and
 * faults by a spec where its text is gone or retention has removed outcomes.
 */
final class LetterReasons {
  /** All versions have read inputs by the same schemas. */
  private static final Set<ErrorCode> OF_BYTES =
      EnumSet.of(
          ErrorCode.TOMBSTONE,
          ErrorCode.EMPTY,
          ErrorCode.OVERSIZED,
          ErrorCode.UNFRAMED,
          ErrorCode.UNKNOWN_SCHEMA,
          ErrorCode.MALFORMED,
          ErrorCode.BAD_ID,
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

  private static final Set<ErrorCode> ALL = EnumSet.allOf(ErrorCode.class);

  /** Letters that were written with this field have the words of this version. */
  private static final String SINCE_WORDED = "seq";

  private final CommittedLog log;
  private final InputRecords inputs;
  private final Texts texts;
  private final Docket docket;
  private final Revealer revealer;
  private final SpecsOfSegments specs;
  private final Map<Place, Slice> slices = new HashMap<>();

  /**
   * Prepares to judge.
   *
   * @param log with all attempts, also what was withdrawn
   */
  LetterReasons(
      CommittedLog log,
      InputRecords inputs,
      Texts texts,
      Docket docket,
      long memoryBytes,
      Revealer revealer) {
    this.log = log;
    this.inputs = inputs;
    this.texts = texts;
    this.docket = docket;
    this.revealer = revealer;
    this.specs = new SpecsOfSegments(new Budget(memoryBytes));
    log.slices(LogTopic.CONTEXTS).forEach(slice -> slices.put(Place.of(slice), slice));
    log.slices(LogTopic.REWARDS).forEach(slice -> slices.put(Place.of(slice), slice));
  }

  /** Judges; reads the dead letters twice, decisions and outcomes at most once. */
  void judge() {
    try {
      readLetters((at, letter) -> ask(letter));
      specs.read(log);
    } catch (Budget.ExceededException e) {
      throw new CannotJudgeException("too many segments refuse inputs; give more --memory");
    }
    readLetters(this::judge);
  }

  private void readLetters(BiConsumer<LogRecord, DeadLetter> to) {
    try (LogReader reader = log.read(log.slices(LogTopic.DEAD_LETTER))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        DeadLetter letter = at.isJudged() ? letter(at) : null;
        if (letter != null) {
          to.accept(at, letter);
        }
      }
    }
  }

  private static @Nullable DeadLetter letter(LogRecord at) {
    try {
      return Wire.DEAD_LETTER.decode(Payloads.value(at));
    } catch (WireException e) {
      return null; // told by those who judge the inputs
    }
  }

  private void ask(DeadLetter letter) {
    if (letter.segment() != null && isOne(letter, OF_SPEC)) {
      specs.ask(letter.segment());
    }
  }

  private static boolean isOversized(DeadLetter letter) {
    return letter.code().equals(ErrorCode.OVERSIZED.name());
  }

  private static boolean isOne(DeadLetter letter, Set<ErrorCode> codes) {
    return codes.stream().anyMatch(code -> code.name().equals(letter.code()));
  }

  private void judge(LogRecord at, DeadLetter sealed) {
    Slice slice = slices.get(new Place(sealed.topic(), sealed.partition()));
    if (slice == null) {
      return;
    }
    String key = slice.place(sealed.offset());
    boolean isOfSpec = isOne(sealed, OF_SPEC);
    if (!isOne(sealed, ALL)) {
      docket.unjudged(
          Invariant.I7,
          key,
          "its dead letter at %s says %s, which this version does not know; judge by the version"
                  .formatted(at.place(), sealed.code())
              + " that wrote it");
      return;
    }
    DeadLetter letter = isOfSpec || isOne(sealed, OF_BYTES) ? opened(sealed) : null;
    Decoded decoded = letter == null ? null : decoded(letter, slice);
    if (letter == null || decoded == null) {
      return;
    }
    boolean isWorded = Wire.DEAD_LETTER.fieldsOf(Payloads.value(at)).contains(SINCE_WORDED);
    if (decoded instanceof Decoded.Bad bad) {
      boolean isSaid = !isWorded || says(letter, bad.letter());
      compare(key, letter, bad.letter().code(), isSaid);
      return;
    }
    Input input = ((Decoded.Good) decoded).input();
    ErrorCode fault = input.fault();
    if (isOversized(letter)) {
      docket.violated(Invariant.I7, key, noSuchFault(letter));
    } else if (!input.segment().equals(letter.segment())
        || !input.decisionId().equals(letter.decisionId())) {
      docket.violated(Invariant.I7, key, "its dead letter names other ids");
    } else if (fault != null) {
      Fault found = new Fault(fault, String.valueOf(input.faultMessage()));
      compare(key, letter, fault.name(), !isWorded || says(letter, found, input));
    } else if (isOfSpec) {
      compare(key, letter, input, isWorded);
    } else {
      docket.violated(Invariant.I7, key, noSuchFault(letter));
    }
  }

  private void compare(String key, DeadLetter letter, String fault, boolean isSaid) {
    if (!letter.code().equals(fault)) {
      docket.violated(
          Invariant.I7, key, "its dead letter says " + letter.code() + ", its bytes " + fault);
    } else if (!isSaid) {
      docket.violated(Invariant.I7, key, otherWords(letter));
    }
  }

  private static boolean says(DeadLetter letter, DeadLetter due) {
    return CutLetter.says(letter, due.message());
  }

  /** What an attempt refuses again, it does not look at again. */
  private static boolean says(DeadLetter letter, Fault fault, Input input) {
    return says(letter, DeadLetter.of(fault.code(), fault.fact(), input))
        || (isOfALaterAttempt(letter, input) && says(letter, again(fault.code(), input)));
  }

  private static boolean isOfALaterAttempt(DeadLetter letter, Input input) {
    Integer attempt = letter.attempt();
    return input instanceof ContextEvent && attempt != null && attempt > 0;
  }

  private static DeadLetter again(ErrorCode code, Input input) {
    return DeadLetter.of(code, Faults.REFUSED_BEFORE, input);
  }

  /** Only the first refusal of an answer's size tells the limit; one that repeats it does not. */
  private static boolean mayBeOfASizeRefusedBefore(DeadLetter letter, Input input) {
    return letter.code().equals(ErrorCode.CANDIDATES_INVALID.name())
        && isOfALaterAttempt(letter, input)
        && ((ContextEvent) input).candidates() != null
        && says(letter, again(ErrorCode.CANDIDATES_INVALID, input));
  }

  private static String noSuchFault(DeadLetter letter) {
    return "its dead letter says " + letter.code() + ", and it has no such fault";
  }

  private static String otherWords(DeadLetter letter) {
    return "its dead letter gives another message than follows from " + letter.code();
  }

  /** Where not all specs of a segment are at hand, nothing is certain. */
  private void compare(String key, DeadLetter letter, Input input, boolean isWorded) {
    Set<String> known = specs.of(input.segment());
    if (known == null || mayBeOfASizeRefusedBefore(letter, input)) {
      return;
    }
    boolean isFault = false;
    for (String hash : known) {
      CompiledSpec spec = texts.specs().byHash(hash);
      Fault fault = spec == null ? null : Faults.of(input, spec);
      boolean isIt = fault != null && fault.code().name().equals(letter.code());
      if (spec == null || (fault != null && isIt && (!isWorded || says(letter, fault, input)))) {
        return;
      }
      isFault |= isIt;
    }
    docket.violated(Invariant.I7, key, isFault ? otherWords(letter) : noSuchFault(letter));
  }

  private @Nullable DeadLetter opened(DeadLetter sealed) {
    try {
      return revealer.reveal(sealed);
    } catch (SealedException e) {
      return null; // I7 tells
    }
  }

  /** The limit is an option of the job that the log tells of only where something exceeds it. */
  private static int maxRecordBytes(DeadLetter letter) {
    Integer told = null;
    if (letter.code().equals(ErrorCode.CANDIDATES_INVALID.name())) {
      told = AnswerSize.maxRecordBytesOf(letter.message());
    } else if (isOversized(letter)) {
      told = InputDecoder.maxBytesOf(letter.message());
    }
    boolean isPossible = told != null && told >= InputDecoder.LEAST_MAX_BYTES;
    return isPossible ? told : Integer.MAX_VALUE;
  }

  /** Reads what a letter holds; a letter that was cut, at its origin. */
  private @Nullable Decoded decoded(DeadLetter letter, Slice slice) {
    TopicKind kind = slice.topic() == LogTopic.CONTEXTS ? TopicKind.CONTEXTS : TopicKind.REWARDS;
    Origin origin =
        new Origin(letter.topic(), letter.partition(), letter.offset(), Origin.NO_APPEND_TIME);
    InputDecoder decoder = new InputDecoder(maxRecordBytes(letter));
    if (!CutLetter.isCut(letter)) {
      return decoder.decode(kind, letter.key(), letter.value(), origin, Long.MAX_VALUE);
    }
    LogRecord whole = inputs.at(slice, letter.offset());
    return whole == null
        ? null
        : decoder.decode(kind, whole.key(), whole.value(), origin, Long.MAX_VALUE);
  }
}
