package io.equipoise.job;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Wire;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes every dead letter fit its topic: one that did not would fail the sink, and fail it again
 * after every restart.
 *
 * <p>A letter holds its record's key and value and may carry the key once more as its own. Own keys
 * beyond {@value #MAX_KEY_BYTES} bytes are left out; with that, whatever the input topics that we
 * create can hold fits whole. Only what still does not is cut, and says so.
 */
final class LetterFit implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int MAX_KEY_BYTES = 1 << 10;
  private static final int MAX_MESSAGE_CHARS = 4 << 10;

  /**
   * What a batch and the letter's other fields take at most, the message at 3 bytes a character.
   */
  private static final int ENVELOPE_BYTES = 16 << 10;

  private final int maxBytes;

  /** Fits letters into a topic with batches of up to {@code maxBytes}. */
  LetterFit(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Returns what was given, or what fits of a dead letter that does not. */
  Emission fit(Emission emission) {
    if (emission.output() != Emission.Output.DEAD_LETTER) {
      return emission;
    }
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

  private static DeadLetter cut(DeadLetter letter, int room) {
    int keyBytes = length(letter.key());
    int valueBytes = length(letter.value());
    byte[] value = first(letter.value(), room);
    byte[] key = first(letter.key(), room - length(value));
    String message = letter.message();
    if (message.length() > MAX_MESSAGE_CHARS) {
      message = message.substring(0, MAX_MESSAGE_CHARS) + "...";
    }
    if (length(key) < keyBytes || length(value) < valueBytes) {
      message +=
          " Cut here: the key had %d bytes and the value %d.".formatted(keyBytes, valueBytes);
    }
    return letter.with(message, key, value, null);
  }

  private static byte @Nullable [] first(byte @Nullable [] bytes, int most) {
    return bytes == null || bytes.length <= most ? bytes : Arrays.copyOf(bytes, most);
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
