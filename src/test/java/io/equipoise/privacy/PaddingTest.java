package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PaddingTest {
  private static final int LARGEST_LETTER = 1 << 21;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aTextComesBackWhateverStandsBehindIt() {
    for (String text : new String[] {"", "a", "\0", "ab\0\0"}) {
      for (int more = 0; more < 5; more++) {
        byte[] padded = Padding.pad(bytes(text), 4 + text.length() + more);
        assertEquals(4 + text.length() + more, padded.length);
        assertArrayEquals(bytes(text), Padding.strip(padded));
      }
    }
  }

  @Test
  void whatWasNotPaddedIsRefused() {
    assertNull(Padding.strip(new byte[3]));
    assertNull(Padding.strip(new byte[] {0, 0, 0, 1}), "longer than all");
    assertNull(Padding.strip(new byte[] {-1, 0, 0, 0, 0}), "negative");
    assertNull(Padding.strip(new byte[] {0, 0, 0, 1, 'a', 0, 1}), "no zeros");
    assertNull(Padding.strip(new byte[] {0, 0, 0, 0, 1}), "no zeros");
  }

  @Test
  void lettersHaveFewLengthsAndGrowByABoundedNumberOfBytes() {
    TreeSet<Integer> lengths = new TreeSet<>();
    for (int bytes = 0; bytes < LARGEST_LETTER; bytes++) {
      int room = Padding.ofDeadLetter(bytes);
      assertTrue(
          room >= 4 + bytes && room - 4 - bytes < Padding.MOST_OF_DEAD_LETTER_BYTES, "of " + bytes);
      lengths.add(room);
    }
    assertEquals(
        5 + LARGEST_LETTER / Padding.MOST_OF_DEAD_LETTER_BYTES,
        lengths.headSet(LARGEST_LETTER, true).size());
    assertEquals(1 << 10, lengths.first());
    assertEquals(1 << 10, Padding.ofDeadLetter(1020));
    assertEquals(1 << 11, Padding.ofDeadLetter(1021));
    assertEquals(1 << 15, Padding.ofDeadLetter((1 << 15) - 4));
    assertEquals(1 << 16, Padding.ofDeadLetter((1 << 15) - 3));
    assertEquals(3 << 15, Padding.ofDeadLetter((1 << 16) - 3));
  }

  @Test
  void recordsHaveRoomForWhatTheyMightHold() {
    assertEquals(32, Padding.ofRecord(0));
    assertEquals(32, Padding.ofRecord(28));
    assertEquals(64, Padding.ofRecord(29));
  }
}
