package io.equipoise.privacy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pads texts to a common length, because a cipher preserves lengths: of two people who differ only
 * in a level, the length would identify the level.
 *
 * <pre>
 *   0 length of the text (i32)   4 text   zeros
 * </pre>
 */
final class Padding {
  /** Maximum padding of a dead letter, in bytes. */
  static final int MOST_OF_DEAD_LETTER_BYTES = 32 << 10;

  private static final int HEADER_BYTES = Integer.BYTES;
  private static final int RECORD_STEP_BYTES = 32;
  private static final int LEAST_DEAD_LETTER_BYTES = 1 << 10;

  private Padding() {}

  /**
   * Returns the padded length of a record's redacted values, in bytes.
   *
   * @param mostBytes their maximum length for any levels
   */
  static int ofRecord(int mostBytes) {
    return upTo(RECORD_STEP_BYTES, HEADER_BYTES + mostBytes);
  }

  /**
   * Returns the padded length of a dead letter, whose levels are unknown: a power of two from
   * {@value #LEAST_DEAD_LETTER_BYTES} bytes on, or a multiple of {@value
   * #MOST_OF_DEAD_LETTER_BYTES} bytes, so that it fits its topic. Lengths that differ by a few
   * bytes usually become equal.
   */
  static int ofDeadLetter(int bytes) {
    int whole = HEADER_BYTES + bytes;
    if (whole > MOST_OF_DEAD_LETTER_BYTES) {
      return upTo(MOST_OF_DEAD_LETTER_BYTES, whole);
    }
    int room = LEAST_DEAD_LETTER_BYTES;
    while (room < whole) {
      room *= 2;
    }
    return room;
  }

  private static int upTo(int step, int bytes) {
    return Math.multiplyExact(Math.addExact(bytes, step - 1) / step, step);
  }

  /** Returns a text after its length and before zeros, {@code room} bytes in all. */
  static byte[] pad(byte[] text, int room) {
    return ByteBuffer.allocate(room).putInt(text.length).put(text).array();
  }

  /** Returns the text without padding, or null if these bytes are not a padded text. */
  static byte @Nullable [] strip(byte[] padded) {
    if (padded.length < HEADER_BYTES) {
      return null;
    }
    int length = ByteBuffer.wrap(padded).getInt();
    if (length < 0 || length > padded.length - HEADER_BYTES) {
      return null;
    }
    int end = HEADER_BYTES + length;
    for (int i = end; i < padded.length; i++) {
      if (padded[i] != 0) {
        return null;
      }
    }
    return Arrays.copyOfRange(padded, HEADER_BYTES, end);
  }
}
