package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Wire;
import io.equipoise.job.Emission.Output;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.AbstractRecords;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.junit.jupiter.api.Test;

class LetterFitTest {
  private static final int MAX_BYTES = 100_000;
  private final LetterFit fit = new LetterFit(MAX_BYTES);

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
