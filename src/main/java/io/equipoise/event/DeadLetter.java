package io.equipoise.event;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An input record that could not be used, with its original bytes. Components are documented in
 * {@code avro/DeadLetter.avsc}. Byte arrays are not copied.
 *
 * @param code the name of an {@link ErrorCode}
 * @param attempt with {@code seq} says when its segment refused the record; null of one that no
 *     segment saw
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
public record DeadLetter(
    String code,
    String message,
    String topic,
    int partition,
    long offset,
    @Nullable Long appendTime,
    @Nullable String segment,
    @Nullable String decisionId,
    byte @Nullable [] key,
    byte @Nullable [] value,
    @Nullable Hidden hidden,
    @Nullable Integer attempt,
    @Nullable Long seq) {

  /** Makes the dead letter of a record whose ids could not be read. */
  public static DeadLetter undecodable(
      ErrorCode code, String fact, Origin origin, byte @Nullable [] key, byte @Nullable [] value) {
    return of(code, fact, origin, null, null, key, value);
  }

  /** Makes the dead letter of an input that was decoded and then found unusable. */
  public static DeadLetter of(ErrorCode code, String fact, Input input) {
    return of(
        code, fact, input.origin(), input.segment(), input.decisionId(), input.key(), input.raw());
  }

  /** Makes a dead letter with the ids that could be read. */
  static DeadLetter of(
      ErrorCode code,
      String fact,
      Origin origin,
      @Nullable String segment,
      @Nullable String decisionId,
      byte @Nullable [] key,
      byte @Nullable [] value) {
    Long appendTime =
        origin.appendTime() == Origin.NO_APPEND_TIME ? null : (Long) origin.appendTime();
    return new DeadLetter(
        code.name(),
        fact + ". " + code.remedy(),
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
        null);
  }

  /** Returns the same with the ids that it is about. */
  public DeadLetter of(@Nullable String segment, @Nullable String decisionId) {
    return new DeadLetter(
        code,
        message,
        topic,
        partition,
        offset,
        appendTime,
        segment,
        decisionId,
        key,
        value,
        hidden,
        attempt,
        seq);
  }

  /** Returns the same as the refusal of an attempt, when a segment's last change was this. */
  public DeadLetter by(int attempt, long seq) {
    return new DeadLetter(
        code,
        message,
        topic,
        partition,
        offset,
        appendTime,
        segment,
        decisionId,
        key,
        value,
        hidden,
        attempt,
        seq);
  }

  /** Returns the same with another text and other bytes. */
  public DeadLetter with(
      String message, byte @Nullable [] key, byte @Nullable [] value, @Nullable Hidden hidden) {
    return with(code, message, key, value, hidden);
  }

  /** As {@link #with(String, byte[], byte[], Hidden)}, with another code. */
  public DeadLetter with(
      String code,
      String message,
      byte @Nullable [] key,
      byte @Nullable [] value,
      @Nullable Hidden hidden) {
    return new DeadLetter(
        code,
        message,
        topic,
        partition,
        offset,
        appendTime,
        segment,
        decisionId,
        key,
        value,
        hidden,
        attempt,
        seq);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DeadLetter that
        && code.equals(that.code)
        && message.equals(that.message)
        && topic.equals(that.topic)
        && partition == that.partition
        && offset == that.offset
        && Objects.equals(appendTime, that.appendTime)
        && Objects.equals(segment, that.segment)
        && Objects.equals(decisionId, that.decisionId)
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value)
        && Objects.equals(hidden, that.hidden)
        && Objects.equals(attempt, that.attempt)
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
