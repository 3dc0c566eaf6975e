package io.equipoise.event;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An input record that was rejected, with its original bytes. {@code avro/DeadLetter.avsc}
 * documents the components. Byte arrays are not copied.
 *
 * @param code the name of an {@link ErrorCode}
 * @param message for people; no code reads it
 * @param writerEpoch the writer epoch whose segment rejected the record, at {@code seq}; null if no
 *     segment received it
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below handle arrays
public record DeadLetter(
    String code,
    String message,
    List<String> variables,
    @Nullable Integer limitBytes,
    boolean recovered,
    String topic,
    int partition,
    long offset,
    @Nullable Long appendTime,
    @Nullable String segment,
    @Nullable String decisionId,
    byte @Nullable [] key,
    byte @Nullable [] value,
    @Nullable Truncation truncated,
    @Nullable Redaction redaction,
    @Nullable Integer writerEpoch,
    @Nullable Long seq)
    implements SegmentOutput {

  /** Copies the names. */
  public DeadLetter {
    variables = List.copyOf(variables);
  }

  /** Makes the dead letter of a record whose ids could not be decoded. */
  public static DeadLetter undecodable(
      ErrorCode code, String fact, Origin origin, byte @Nullable [] key, byte @Nullable [] value) {
    return of(new InputFault(code, fact), origin, null, null, key, value);
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
        fault.message() + ". " + fault.code().remedy(),
        fault.variables(),
        fault.limitBytes(),
        false,
        origin.topic(),
        origin.partition(),
        origin.offset(),
        appendTime,
        segment,
        decisionId,
        key,
        value,
        null,
        null,
        null,
        null);
  }

  /** Returns a copy with the ids of its input. */
  public DeadLetter of(@Nullable String segment, @Nullable String decisionId) {
    return new DeadLetter(
        code,
        message,
        variables,
        limitBytes,
        recovered,
        topic,
        partition,
        offset,
        appendTime,
        segment,
        decisionId,
        key,
        value,
        truncated,
        redaction,
        writerEpoch,
        seq);
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
    return new DeadLetter(
        code,
        message,
        variables,
        limitBytes,
        recovered,
        topic,
        partition,
        offset,
        appendTime,
        segment,
        decisionId,
        key,
        value,
        truncated,
        redaction,
        writerEpoch,
        seq);
  }

  /** Returns a copy truncated to fit its topic. */
  public DeadLetter cut(
      String message,
      byte @Nullable [] key,
      byte @Nullable [] value,
      @Nullable Truncation truncated) {
    return new DeadLetter(
        code,
        message,
        variables,
        limitBytes,
        recovered,
        topic,
        partition,
        offset,
        appendTime,
        segment,
        decisionId,
        key,
        value,
        truncated,
        null,
        writerEpoch,
        seq);
  }

  /** Returns a copy with other contents and the message that follows from them. */
  public DeadLetter with(
      String code,
      String message,
      List<String> variables,
      byte @Nullable [] key,
      byte @Nullable [] value,
      @Nullable Redaction redaction) {
    return new DeadLetter(
        code,
        message,
        variables,
        limitBytes,
        recovered,
        topic,
        partition,
        offset,
        appendTime,
        segment,
        decisionId,
        key,
        value,
        truncated,
        redaction,
        writerEpoch,
        seq);
  }

  /** Returns a copy whose message contains only the typed fields. */
  public DeadLetter withPlainMessage() {
    return with(code, plainMessage(code, variables), variables, key, value, redaction);
  }

  /** Returns the message that contains only a code and the names of variables. */
  public static String plainMessage(String code, List<String> variables) {
    ErrorCode known = ErrorCode.of(code);
    String names = variables.isEmpty() ? "" : String.join(", ", variables) + ": ";
    return known == null ? names + code : names + known.cause() + " " + known.remedy();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DeadLetter that
        && code.equals(that.code)
        && message.equals(that.message)
        && variables.equals(that.variables)
        && Objects.equals(limitBytes, that.limitBytes)
        && recovered == that.recovered
        && topic.equals(that.topic)
        && partition == that.partition
        && offset == that.offset
        && Objects.equals(appendTime, that.appendTime)
        && Objects.equals(segment, that.segment)
        && Objects.equals(decisionId, that.decisionId)
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value)
        && Objects.equals(truncated, that.truncated)
        && Objects.equals(redaction, that.redaction)
        && Objects.equals(writerEpoch, that.writerEpoch)
        && Objects.equals(seq, that.seq);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hash(code, topic, partition, offset) + Arrays.hashCode(value);
  }

  /** Omits ids and bytes, because the text may be logged. */
  @Override
  public String toString() {
    return "DeadLetter[" + code + " at " + topic + "-" + partition + "@" + offset + "]";
  }
}
