package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.Wire;
import io.equipoise.job.Emission.Output;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.AbstractRecords;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.junit.jupiter.api.Test;

class LetterFitTest {
  private static final int MAX_RECORD_BYTES = 70_000;
  private static final int MAX_BYTES = 100_000;
  private final LetterFit fit = new LetterFit(MAX_RECORD_BYTES, MAX_BYTES);

  @Test
  void aLetterThatFitsIsLeftAlone() {
    Emission emission = emission(10, 50_000, "bad");
    assertSame(emission, fit.fit(emission));
  }

  @Test
  void aLongKeyIsNotCarriedTwice() {
    Emission fitted = fitted(emission(60_000, 10, "bad"));
    assertNull(fitted.key());
    assertArrayEquals(new byte[60_000], letter(fitted).key());
  }

  @Test
  void whatDoesNotFitIsCutAndSaysSo() {
    Emission fitted = fitted(emission(10, 200_000, "x".repeat(100_000)));
    DeadLetter letter = letter(fitted);
    assertEquals(MAX_BYTES - (16 << 10) - 10, letter.value().length);
    assertArrayEquals(new byte[0], letter.key());
    assertTrue(
        letter.message().endsWith("Cut here: the key had 10 bytes and the value 200000."),
        letter.message());
  }

  @Test
  void aKeyAloneMayBeTooLong() {
    DeadLetter letter = letter(fitted(emission(200_000, 10, "bad")));
    assertEquals(10, letter.value().length);
    assertEquals(MAX_BYTES - (16 << 10) - 10, letter.key().length);
  }

  @Test
  void aRecordThatDoesNotFitItsTopicIsADeadLetterThatSaysWhichItWas() {
    Outcome outcome = outcome("r".repeat(MAX_RECORD_BYTES));
    byte[] key = {'s'};
    byte[] value = Wire.OUTCOME.encode(outcome);
    assertFalse(fit.isFitting(key, value));
    assertTrue(fit.isFitting(key, Wire.OUTCOME.encode(outcome("r"))));
    Emission emission = fit.ofOversized(Output.OUTCOMES, "x.outcomes", key, value);
    assertEquals(Output.DEAD_LETTER, emission.output());
    DeadLetter letter = letter(fitted(emission));
    assertEquals("OUTPUT_OVERSIZED", letter.code());
    assertEquals("x.outcomes", letter.topic());
    assertEquals("s", letter.segment());
    assertEquals(7L, letter.seq());
    assertEquals(3, letter.attempt());
    assertArrayEquals(value, letter.value());
    byte[] larger = Wire.OUTCOME.encode(outcome("r".repeat(3 * MAX_BYTES)));
    DeadLetter cut = letter(fitted(fit.ofOversized(Output.OUTCOMES, "x.outcomes", key, larger)));
    assertTrue(cut.message().contains("Cut here"), cut.message());
  }

  private static Outcome outcome(String detail) {
    return new Outcome(
        OutcomeKind.EXPIRED,
        "s",
        0,
        3,
        7,
        "d",
        null,
        null,
        null,
        0,
        null,
        null,
        null,
        null,
        Map.of(),
        null,
        false,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        detail,
        null,
        null,
        null,
        null,
        List.of(),
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
        new DeadLetter(
            "MALFORMED", message, "t", 0, 1, 2L, "s", "d", key, new byte[valueBytes], null, 1, 2L);
    return new Emission(Output.DEAD_LETTER, key, Wire.DEAD_LETTER.encode(letter));
  }
}
