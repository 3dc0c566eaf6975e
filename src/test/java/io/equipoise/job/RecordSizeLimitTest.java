package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Truncation;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.job.topics.Emission;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.AbstractRecords;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.junit.jupiter.api.Test;

class RecordSizeLimitTest {
  private static final int MAX_RECORD_BYTES = 70_000;
  private static final int MAX_BYTES = 100_000;
  private final RecordSizeLimit fit = new RecordSizeLimit(MAX_RECORD_BYTES, MAX_BYTES);

  @Test
  void aLetterThatFitsIsLeftAlone() {
    Emission emission = emission(10, 50_000, "bad");
    assertSame(emission, fit.fit(emission));
  }

  @Test
  void aLongKeyIsNotCarriedTwice() {
    Emission fitted = fitted(emission(60_000, 10, "bad"));
    assertNull(fitted.key());
    assertArrayEquals(new byte[60_000], letter(fitted).input().key());
  }

  @Test
  void whatDoesNotFitIsCutAndSaysSo() {
    Emission fitted = fitted(emission(10, 200_000, "x".repeat(100_000)));
    DeadLetter letter = letter(fitted);
    assertEquals(MAX_BYTES - (16 << 10) - 10, letter.input().value().length);
    assertArrayEquals(new byte[0], letter.input().key());
    assertEquals(new Truncation(10, 200_000), letter.input().truncated());
  }

  @Test
  void aKeyAloneMayBeTooLong() {
    DeadLetter letter = letter(fitted(emission(200_000, 10, "bad")));
    assertEquals(10, letter.input().value().length);
    assertEquals(MAX_BYTES - (16 << 10) - 10, letter.input().key().length);
  }

  @Test
  void aRecordThatDoesNotFitItsTopicIsADeadLetterThatSaysWhichItWas() {
    SegmentEvent segmentEvent = segmentEvent("r".repeat(MAX_RECORD_BYTES));
    byte[] key = {'s'};
    byte[] value = Wire.SEGMENT_EVENT.encode(segmentEvent);
    assertFalse(fit.isFitting(key, value));
    assertTrue(fit.isFitting(key, Wire.SEGMENT_EVENT.encode(segmentEvent("r"))));
    Emission emission = fit.ofOversized(LogTopic.SEGMENT_EVENTS, "x.segment-events", key, value);
    assertEquals(LogTopic.DEAD_LETTER, emission.output());
    DeadLetter letter = letter(fitted(emission));
    assertEquals("OUTPUT_OVERSIZED", letter.code());
    assertEquals(MAX_RECORD_BYTES, letter.limitBytes());
    assertNull(letter.input().truncated());
    assertEquals("x.segment-events", letter.source().topic());
    assertEquals(new Place("s", 3, 7), letter.place());
    assertArrayEquals(value, letter.input().value());
    byte[] larger = Wire.SEGMENT_EVENT.encode(segmentEvent("r".repeat(3 * MAX_BYTES)));
    DeadLetter cut =
        letter(fitted(fit.ofOversized(LogTopic.SEGMENT_EVENTS, "x.segment-events", key, larger)));
    assertEquals(new Truncation(1, larger.length), cut.input().truncated());
  }

  private static SegmentEvent segmentEvent(String reason) {
    return new SegmentEvent(
        SegmentEventType.REWARD_TIMEOUT,
        new Place("s", 3, 7),
        0,
        Versions.NONE,
        new JoinedDecision("d", null, null, null, null, null, null, Map.of(), null, reason),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private Emission fitted(Emission emission) {
    Emission fitted = fit.fit(emission);
    int estimate =
        AbstractRecords.estimateSizeInBytesUpperBound(
            RecordBatch.CURRENT_MAGIC_VALUE,
            CompressionType.NONE,
            fitted.key(),
            fitted.value(),
            new Header[0]);
    assertTrue(estimate <= MAX_BYTES, "a producer refuses " + estimate);
    return fitted;
  }

  private static DeadLetter letter(Emission emission) {
    return Wire.DEAD_LETTER.decode(emission.value());
  }

  private static Emission emission(int keyBytes, int valueBytes, String message) {
    byte[] key = new byte[keyBytes];
    DeadLetter letter =
        DeadLetter.undecodable(
                ErrorCode.MALFORMED, message, new Origin("t", 0, 1, 2), key, new byte[valueBytes])
            .of("s", "d")
            .by(1, 2);
    return new Emission(LogTopic.DEAD_LETTER, key, Wire.DEAD_LETTER.encode(letter));
  }
}
