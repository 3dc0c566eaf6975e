package io.equipoise.privacy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes texts as long as others that might stand in their place, for a cipher leaves lengths as
 * they are, and of two people equal but for their level the length would tell which is which.
 *
 * <pre>
 *   0 length of the text (i32)   4 text   zeros
 * </pre>
 */
final class Padding {
  /** What padding adds to a letter of any length at most. */
  static final int MOST_OF_LETTER_BYTES = 32 << 10;

  private static final int HEADER_BYTES = Integer.BYTES;
  private static final int RECORD_STEP_BYTES = 32;
  private static final int LEAST_LETTER_BYTES = 1 << 10;

  private Padding() {}

  /**
   * Returns how long what was taken out of a record becomes.
   *
   * @param mostBytes that it can have, whatever the person's levels
   */
  static int ofRecord(int mostBytes) {
    return upTo(RECORD_STEP_BYTES, HEADER_BYTES + mostBytes);
  }

  /**
   * Returns how long a dead letter becomes, whose levels nobody knows: a power of two from {@value
   * #LEAST_LETTER_BYTES} bytes on, or a multiple of {@value #MOST_OF_LETTER_BYTES} bytes, so that
   * it fits its topic. Two letters that differ by a few bytes differ after that only if one of
   * those lengths lies between them.
   */
  static int ofLetter(int bytes) {
    int whole = HEADER_BYTES + bytes;
    if (whole > MOST_OF_LETTER_BYTES) {
      return upTo(MOST_OF_LETTER_BYTES, whole);
    }
    int room = LEAST_LETTER_BYTES;
    while (room < whole) {
      room *= 2;
    }
    return room;
  }

  private static int upTo(int step, int bytes) {
    return Math.multiplyExact(Math.addExact(bytes, step - 1) / step, step);
  }

  /** Returns a text with its length before it and zeros behind it, {@code room} bytes in all. */
  static byte[] pad(byte[] text, int room) {
    return ByteBuffer.allocate(room).putInt(text.length).put(text).array();
  }

  /** Returns the text again, or null if these bytes were not made of one. */
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
