package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.cryptomator.siv.SivMode;
import org.junit.jupiter.api.Test;

class SivCipherTest {
  private static final byte[] PLACE = bytes("decision 7 of s");

  private static final int ROOM = 8;

  private final RedactionKey key = TestKeys.of(1);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] sealed(byte[] place, String text) {
    return key.seal(place, bytes(text), ROOM);
  }

  @Test
  void whatIsSealedOpensWithTheKeyAtItsPlaceOnly() {
    SplittableRandom random = new SplittableRandom(3);
    for (int length = 0; length < 200; length++) {
      byte[] text = new byte[length];
      random.nextBytes(text);
      byte[] sealed = key.seal(PLACE, text, 4 + length + length % 3);
      assertEquals(29 + length + length % 3, sealed.length);
      assertArrayEquals(text, key.open(PLACE, sealed));
      assertNull(key.open(bytes("decision 8 of s"), sealed));
      assertNull(TestKeys.of(2).open(PLACE, sealed));
    }
  }

  @Test
  void noBitCanBeChangedAndNothingCutOrAdded() {
    byte[] sealed = sealed(PLACE, "S=a");
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

  /** As only somebody with the key could write it, or a writer that errs. */
  @Test
  void badPaddingUnderAGoodSealIsRefused() {
    assertArrayEquals(bytes("S"), key.open(PLACE, sealedAsItIs(new byte[] {0, 0, 0, 1, 'S', 0})));
    assertNull(key.open(PLACE, sealedAsItIs(new byte[] {0, 0, 0, 1, 'S', 1})));
    assertNull(key.open(PLACE, sealedAsItIs(new byte[] {0, 0, 0, 3, 'S', 0})));
    assertNull(key.open(PLACE, sealedAsItIs(bytes("S=a"))));
  }

  private static byte[] sealedAsItIs(byte[] padded) {
    DerivedKeys keys = new DerivedKeys(TestKeys.secret(1));
    byte[] scope = new byte[8];
    byte[] text =
        new SivMode().encrypt(keys.of("seal cipher"), keys.of("seal mac"), padded, scope, PLACE);
    return ByteBuffer.allocate(9 + text.length).put((byte) 1).put(scope).put(text).array();
  }

  @Test
  void theSameTextAtOnePlaceIsTheSameAndAnotherTextOrPlaceAnotherInitialValue() {
    byte[] once = sealed(PLACE, "S=a");
    assertArrayEquals(once, TestKeys.of(1).seal(PLACE, bytes("S=a"), ROOM));
    assertFalse(sameInitialValue(once, sealed(PLACE, "S=b")));
    assertFalse(sameInitialValue(once, sealed(bytes("elsewhere"), "S=a")));
  }

  /** With one key in two deployments, what one of them is made to seal is found nowhere else. */
  @Test
  void anotherDeploymentSealsAndNamesTheSameOtherwiseAndTheKeyOpensBoth() {
    RedactionKey production = key.forDeployment("prod-1");
    RedactionKey staging = key.forDeployment("stag-1");
    byte[] one = production.seal(PLACE, bytes("S=a"), ROOM);
    byte[] other = staging.seal(PLACE, bytes("S=a"), ROOM);
    assertFalse(sameInitialValue(one, other));
    assertFalse(Arrays.equals(one, 25, one.length, other, 25, other.length));
    assertNotEquals(production.token("S", "a"), staging.token("S", "a"));
    assertEquals(key.id(), production.id());
    assertArrayEquals(bytes("S=a"), key.open(PLACE, one));
    assertArrayEquals(bytes("S=a"), key.open(PLACE, other));
    byte[] moved = one.clone();
    System.arraycopy(other, 1, moved, 1, 8);
    assertNull(key.open(PLACE, moved));
  }

  /** Place and text are told apart: what moves from one to the other is not the same. */
  @Test
  void whereThePlaceEndsMatters() {
    assertFalse(sameInitialValue(sealed(bytes("ab"), "c"), sealed(bytes("a"), "bc")));
  }

  private static boolean sameInitialValue(byte[] one, byte[] other) {
    return Arrays.equals(one, 9, 25, other, 9, 25);
  }
}
