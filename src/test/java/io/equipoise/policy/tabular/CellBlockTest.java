package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.layout.StoredBytes;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CellBlockTest {
  private static CellBlock filled(long seed, int rewards, double around) {
    SplittableRandom random = new SplittableRandom(seed);
    CellBlock block = new CellBlock(3);
    for (int i = 0; i < rewards; i++) {
      block.observe(random.nextInt(3), around + random.nextDouble());
    }
    return block;
  }

  private static byte[] bytes(CellBlock block) {
    return block.toBytes();
  }

  @Test
  void momentsAreThoseOfTheRewards() {
    CellBlock block = new CellBlock(2);
    for (double reward : new double[] {1, 2, 6}) {
      block.observe(1, reward);
    }
    assertEquals(3, block.n(1));
    assertEquals(3, block.mean(1), 1e-15);
    assertEquals(4 + 1 + 9, block.m2(1), 1e-14);
    assertEquals(0, block.n(0));
  }

  @Test
  void mergedBlocksEqualTheBlockOverTheUnion() {
    CellBlock left = filled(1, 400, 0);
    CellBlock right = filled(2, 7, 5);
    CellBlock union = left.copy();
    SplittableRandom again = new SplittableRandom(2);
    for (int i = 0; i < 7; i++) {
      union.observe(again.nextInt(3), 5 + again.nextDouble());
    }
    CellBlock merged = left.copy();
    merged.merge(right);
    CellBlock swapped = right.copy();
    swapped.merge(left);
    for (int cell = 0; cell < 3; cell++) {
      assertEquals(union.n(cell), merged.n(cell));
      assertEquals(union.mean(cell), merged.mean(cell), 1e-9);
      assertEquals(union.m2(cell), merged.m2(cell), 1e-9);
      assertEquals(merged.mean(cell), swapped.mean(cell), 1e-9);
      assertEquals(merged.m2(cell), swapped.m2(cell), 1e-9);
    }
  }

  @Test
  void anEmptyBlockIsNeutralToMergeBitForBit() {
    CellBlock block = filled(3, 50, 0);
    CellBlock merged = block.copy();
    merged.merge(new CellBlock(3));
    assertEquals(block, merged);
    CellBlock other = new CellBlock(3);
    other.merge(block);
    assertEquals(block, other);
  }

  @Test
  void blocksOfOtherSizesDoNotMerge() {
    CellBlock block = new CellBlock(3);
    assertThrows(IllegalArgumentException.class, () -> block.merge(new CellBlock(2)));
  }

  @Test
  void aCopySharesNothing() {
    CellBlock block = new CellBlock(1);
    block.observe(0, .5);
    CellBlock copy = block.copy();
    assertEquals(block, copy);
    copy.observe(0, .7);
    assertNotEquals(block, copy);
    assertEquals(1, block.n(0));
  }

  @Test
  void theBytesAreGolden() {
    CellBlock block = new CellBlock(2);
    block.observe(1, 0.5);
    block.observe(1, 1.5);
    assertEquals(
        "0100000002" // version 1, 2 cells
            + "000000000000000000000000000000000000000000000000"
            + "00000000000000023ff00000000000003fe0000000000000", // n 2, mean 1, m2 0.5
        HexFormat.of().formatHex(bytes(block)));
  }

  @Test
  void theBytesAreReadBack() {
    CellBlock block = filled(4, 20, 0);
    CellBlock read = StoredBytes.read(new CellBlock(), ByteBuffer.wrap(bytes(block)));
    assertEquals(block, read);
    assertArrayEquals(bytes(block), bytes(read));
  }

  @Test
  void bytesThatCannotBeABlockAreRefusedBeforeAllocation() {
    byte[] good = bytes(filled(5, 20, 0));
    byte[] wrongVersion = good.clone();
    wrongVersion[0] = 2;
    byte[] hugeCount = good.clone();
    hugeCount[1] = 0x7f;
    byte[] negativeCount = good.clone();
    negativeCount[1] = (byte) 0x80;
    byte[] tooShort = java.util.Arrays.copyOf(good, good.length - 1);
    for (byte[] bad : new byte[][] {wrongVersion, hugeCount, negativeCount, tooShort}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> StoredBytes.read(new CellBlock(), ByteBuffer.wrap(bad)));
    }
  }
}
