package io.equipoise.event;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An input record that could not be used, with its original bytes. Components are documented in
 * {@code avro/DeadLetter.avsc}. Byte arrays are not copied.
 *
 * @param code the name of an {@link ErrorCode}
 * @param message for people; no code reads it
 * @param writerEpoch with {@code seq} says when its segment refused the record; null of one that no
 *     segment saw
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
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
    @Nullable Long seq) {

  /** Copies the names. */
  public DeadLetter {
    variables = List.copyOf(variables);
  }

  /** Makes the dead letter of a record whose ids could not be read. */
  public static DeadLetter undecodable(
      ErrorCode code, String fact, Origin origin, byte @Nullable [] key, byte @Nullable [] value) {
    return of(new InputFault(code, fact), origin, null, null, key, value);
  }

  /** Makes the dead letter of a record whose ids could not be read. */
  public static DeadLetter undecodable(
      InputFault fault, Origin origin, byte @Nullable [] key, byte @Nullable [] value) {
    return of(fault, origin, null, null, key, value);
  }

  /** Makes the dead letter of an input that was decoded and then found unusable. */
  public static DeadLetter of(InputFault fault, Input input) {
    return of(fault, input.origin(), input.segment(), input.decisionId(), input.key(), input.raw());
  }

  /** Makes a dead letter with the ids that could be read. */
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

  /** Returns the same with the ids that it is about. */
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

  /** Returns the same as the refusal of an attempt, when a segment's last change was this. */
  public DeadLetter by(int writerEpoch, long seq) {
    return by(writerEpoch, seq, recovered);
  }

  /**
   * As {@link #by(int, long)}.
   *
   * @param recovered whether it repeats a refusal that an earlier attempt had published
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

  /** Returns the same cut to fit its topic. */
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

  /** Returns the same with other contents, and a message that follows from these. */
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

  /** Returns the same with a message that says no more than the typed fields. */
  public DeadLetter withPlainMessage() {
    return with(code, plainMessage(code, variables), variables, key, value, redaction);
  }

  /** Returns the message that says no more than a code and the names of variables. */
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

  /** Leaves out ids and bytes: what is printed may be logged. */
  @Override
  public String toString() {
    return "DeadLetter[" + code + " at " + topic + "-" + partition + "@" + offset + "]";
  }
}
