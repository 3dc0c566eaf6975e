package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports an input record that was rejected, with its original bytes. {@code avro/DeadLetter.avsc}
 * documents the components.
 *
 * @param code the name of an {@link ErrorCode}
 * @param message for people; no code reads it
 * @param change the last change of the segment that rejected the record; null if no segment
 *     received it
 */
public record DeadLetter(
    String code,
    String message,
    List<String> variables,
    @Nullable Integer limitBytes,
    boolean recovered,
    RejectedInput input,
    @Nullable SegmentChange change,
    @Nullable Redaction redaction)
    implements SegmentOutput {

  /** Separates the fact of a message from the remedy of its code. */
  private static final String REMEDY = ". ";

  /** Copies the names. */
  public DeadLetter {
    variables = List.copyOf(variables);
  }

  /** Makes the dead letter of a record whose ids could not be decoded. */
  public static DeadLetter undecodable(
      ErrorCode code, String fact, Origin origin, byte @Nullable [] key, byte @Nullable [] value) {
    return undecodable(new InputFault(code, fact), origin, key, value);
  }

  /** Makes the dead letter of a record whose ids could not be decoded. */
  public static DeadLetter undecodable(
      InputFault fault, Origin origin, byte @Nullable [] key, byte @Nullable [] value) {
    return of(fault, origin, null, null, key, value);
  }

  /** Makes the dead letter of an input that was decoded and then rejected. */
  public static DeadLetter of(InputFault fault, Input input) {
    return of(fault, input.origin(), input.segment(), input.decisionId(), input.key(), input.raw());
  }

  /** Makes a dead letter with the ids that could be decoded. */
  static DeadLetter of(
      InputFault fault,
      Origin origin,
      @Nullable String segment,
      @Nullable String decisionId,
      byte @Nullable [] key,
      byte @Nullable [] value) {
    Long appendTime =
        origin.appendTime() == Origin.NO_APPEND_TIME ? null : (Long) origin.appendTime();
    return new DeadLetter(
        fault.code().name(),
        fault.message() + REMEDY + fault.code().remedy(),
        fault.variables(),
        fault.limitBytes(),
        false,
        new RejectedInput(origin.source(), appendTime, segment, decisionId, key, value, null),
        null,
        null);
  }

  /** Returns a copy with the ids of its input. */
  public DeadLetter of(@Nullable String segment, @Nullable String decisionId) {
    return with(code, message, variables, input.of(segment, decisionId), redaction);
  }

  /** Returns a copy with the rejecting writer epoch and the seq of the segment's last change. */
  public DeadLetter by(int writerEpoch, long seq) {
    return by(writerEpoch, seq, recovered);
  }

  /**
   * As {@link #by(int, long)}.
   *
   * @param recovered whether it repeats a rejection that an earlier writer epoch published
   */
  public DeadLetter by(int writerEpoch, long seq, boolean recovered) {
    SegmentChange by = new SegmentChange(writerEpoch, seq);
    return new DeadLetter(code, message, variables, limitBytes, recovered, input, by, redaction);
  }

  /** Returns a copy truncated to fit its topic. */
  public DeadLetter cut(
      String message,
      byte @Nullable [] key,
      byte @Nullable [] value,
      @Nullable Truncation truncated) {
    return with(code, message, variables, input.with(key, value, truncated), null);
  }

  /** Returns a copy with other contents and the message that follows from them. */
  public DeadLetter with(
      String code,
      String message,
      List<String> variables,
      byte @Nullable [] key,
      byte @Nullable [] value,
      @Nullable Redaction redaction) {
    return with(code, message, variables, input.with(key, value, input.truncated()), redaction);
  }

  private DeadLetter with(
      String code,
      String message,
      List<String> variables,
      RejectedInput input,
      @Nullable Redaction redaction) {
    return new DeadLetter(
        code, message, variables, limitBytes, recovered, input, change, redaction);
  }

  /** Returns a copy whose message contains only the typed fields. */
  public DeadLetter withPlainMessage() {
    return with(code, plainMessage(code, variables), variables, input, redaction);
  }

  /** Returns the message that contains only a code and the names of variables. */
  public static String plainMessage(String code, List<String> variables) {
    ErrorCode known = ErrorCode.of(code);
    String names = variables.isEmpty() ? "" : String.join(", ", variables) + ": ";
    return known == null ? names + code : names + known.cause() + " " + known.remedy();
  }

  /** Returns the message without the remedy of its code. */
  public String fact() {
    ErrorCode known = ErrorCode.of(code);
    String remedy = known == null ? "" : REMEDY + known.remedy();
    return message.endsWith(remedy)
        ? message.substring(0, message.length() - remedy.length())
        : message;
  }

  /** Returns where the record was read. */
  public Source source() {
    return input.source();
  }

  /** Returns the segment of the record, null if it could not be decoded. */
  public @Nullable String segment() {
    return input.segment();
  }

  /** Returns the segment's last change when it rejected the record, null if no segment did. */
  public @Nullable Place place() {
    String segment = segment();
    return segment == null || change == null
        ? null
        : new Place(segment, change.writerEpoch(), change.seq());
  }

  /** Omits ids and bytes, because the text may be logged. */
  @Override
  public String toString() {
    return "DeadLetter[" + code + " at " + source() + "]";
  }
}
