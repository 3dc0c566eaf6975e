package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.PlacedOutput;
import io.equipoise.event.Truncation;
import io.equipoise.event.Wire;
import io.equipoise.job.topics.Emission;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes every record fit the size limit of its topic. A larger record would fail the sink again
 * after every restart. Only dead letters can be large by construction; another record that is too
 * large becomes a dead letter and is missing from the log.
 *
 * <p>A dead letter contains its record's key and value, and may repeat the key as its own. Own keys
 * beyond {@value #MAX_KEY_BYTES} bytes are left out. Then every record that the input topics of
 * {@link io.equipoise.job.topics.TopicSetup} accept fits whole. Any larger dead letter is truncated
 * and marked as such.
 */
public final class RecordSizeLimit implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int MAX_KEY_BYTES = 1 << 10;
  private static final int MAX_MESSAGE_CHARS = 4 << 10;

  /**
   * Maximum size of the batch and the dead letter's other fields, at 3 bytes per message character.
   */
  private static final int ENVELOPE_BYTES = 16 << 10;

  /** Maximum overhead of a Kafka batch with one record. */
  private static final int BATCH_BYTES = 128;

  private final int maxRecordBytes;
  private final int maxBytes;

  /**
   * Fits records into their topics.
   *
   * @param maxRecordBytes largest record of the other topics, including the key
   * @param maxBytes largest batch of the dead-deadLetter topic
   */
  public RecordSizeLimit(int maxRecordBytes, int maxBytes) {
    this.maxRecordBytes = maxRecordBytes;
    this.maxBytes = maxBytes;
  }

  /** Returns whether a record of another topic than the dead letter fits. */
  boolean isFitting(byte @Nullable [] key, byte[] value) {
    return (long) length(key) + value.length + BATCH_BYTES <= maxRecordBytes;
  }

  /**
   * Returns the dead letter for a record of the job that does not fit its topic.
   *
   * @param topic name of the record's topic
   */
  Emission ofOversized(LogTopic output, String topic, byte @Nullable [] key, byte[] value) {
    String fact =
        "The record of %s has %d bytes with its key, allowed are %d"
            .formatted(topic, length(key) + value.length, maxRecordBytes - BATCH_BYTES);
    Origin nowhere = new Origin(topic, 0, -1, Origin.NO_APPEND_TIME);
    DeadLetter deadLetter =
        DeadLetter.undecodable(
            new InputFault(ErrorCode.OUTPUT_OVERSIZED, fact, List.of(), maxRecordBytes),
            nowhere,
            key,
            value);
    return fit(Emission.of(numbered(deadLetter, output, value), key));
  }

  private static DeadLetter numbered(DeadLetter deadLetter, LogTopic output, byte[] value) {
    PlacedOutput record =
        switch (output) {
          case DECISIONS -> Wire.DECISION.decode(value);
          case AUDIT -> Wire.AUDIT.decode(value);
          case EXPERIMENTS -> Wire.EXPERIMENT.decode(value);
          case SEGMENT_EVENTS -> Wire.SEGMENT_EVENT.decode(value);
          case METRICS -> Wire.METRICS.decode(value);
          case CONTEXTS, REWARDS, DEAD_LETTER -> null;
        };
    return record == null
        ? deadLetter
        : deadLetter
            .of(record.segment(), record.decisionId())
            .by(record.writerEpoch(), record.seq());
  }

  /** Returns the given record, truncated if it is a dead letter that does not fit. */
  public Emission fit(Emission emission) {
    byte[] key = emission.key();
    byte[] value = emission.value();
    if (length(key) + value.length + ENVELOPE_BYTES <= maxBytes) {
      return emission;
    }
    byte[] ownKey = length(key) <= MAX_KEY_BYTES ? key : null;
    int room = maxBytes - ENVELOPE_BYTES - length(ownKey);
    if (value.length <= room) {
      return new Emission(emission.output(), ownKey, value);
    }
    return new Emission(
        emission.output(),
        ownKey,
        Wire.DEAD_LETTER.encode(cut(Wire.DEAD_LETTER.decode(value), room)));
  }

  private static DeadLetter cut(DeadLetter deadLetter, int room) {
    int keyBytes = length(deadLetter.input().key());
    int valueBytes = length(deadLetter.input().value());
    byte[] value = first(deadLetter.input().value(), room);
    byte[] key = first(deadLetter.input().key(), room - length(value));
    String message = deadLetter.message();
    if (message.length() > MAX_MESSAGE_CHARS) {
      message = message.substring(0, MAX_MESSAGE_CHARS) + "...";
    }
    boolean isCut = length(key) < keyBytes || length(value) < valueBytes;
    Truncation before = deadLetter.input().truncated();
    boolean isFirstCut = isCut && before == null;
    return deadLetter.cut(
        message, key, value, isFirstCut ? new Truncation(keyBytes, valueBytes) : before);
  }

  private static byte @Nullable [] first(byte @Nullable [] bytes, int most) {
    return bytes == null || bytes.length <= most ? bytes : Arrays.copyOf(bytes, most);
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
