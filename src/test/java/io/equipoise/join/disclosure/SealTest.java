package io.equipoise.join.disclosure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SealTest {
  private static final byte[] PLACE = bytes("decision 7 of s");

  private final DisclosureKey key = TestKeys.of(1);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void whatIsSealedOpensWithTheKeyAtItsPlaceOnly() {
    SplittableRandom random = new SplittableRandom(3);
    for (int length = 0; length < 200; length++) {
      byte[] text = new byte[length];
      random.nextBytes(text);
      byte[] sealed = key.seal(PLACE, text);
      assertEquals(17 + length, sealed.length);
      assertArrayEquals(text, key.open(PLACE, sealed));
      assertNull(key.open(bytes("decision 8 of s"), sealed));
      assertNull(TestKeys.of(2).open(PLACE, sealed));
    }
  }

  @Test
  void noBitCanBeChangedAndNothingCutOrAdded() {
    byte[] sealed = key.seal(PLACE, bytes("S=a"));
    for (int bit = 0; bit < 8 * sealed.length; bit++) {
      byte[] changed = sealed.clone();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      assertNull(key.open(PLACE, changed), "bit " + bit);
    }
    for (int length = 0; length < sealed.length + 9; length++) {
      if (length != sealed.length) {
        assertNull(key.open(PLACE, Arrays.copyOf(sealed, length)), "length " + length);
      }
    }
  }

  @Test
  void theSameTextAtOnePlaceIsTheSameAndAnotherTextOrPlaceAnotherInitialValue() {
    byte[] once = key.seal(PLACE, bytes("S=a"));
    assertArrayEquals(once, TestKeys.of(1).seal(PLACE, bytes("S=a")));
    assertFalse(sameInitialValue(once, key.seal(PLACE, bytes("S=b"))));
    assertFalse(sameInitialValue(once, key.seal(bytes("elsewhere"), bytes("S=a"))));
  }

  /** Place and text are told apart: what moves from one to the other is not the same. */
  @Test
  void whereThePlaceEndsMatters() {
    assertFalse(
        sameInitialValue(key.seal(bytes("ab"), bytes("c")), key.seal(bytes("a"), bytes("bc"))));
  }

  private static boolean sameInitialValue(byte[] one, byte[] other) {
    return Arrays.equals(one, 1, 17, other, 1, 17);
  }
}
