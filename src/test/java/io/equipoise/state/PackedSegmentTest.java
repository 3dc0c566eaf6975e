package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.Block;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.join.SegmentHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackedSegmentTest {
  private static final long SEED = 20_261_121;

  private static MemoryBlocks everyKindOfBlock() {
    List<Block> blocks = new ArrayList<>(Golden.blocks());
    blocks.addAll(Golden.logisticBlocks());
    blocks.addAll(Golden.dualBlocks());
    blocks.addAll(Golden.evidenceBlocks());
    blocks.addAll(Golden.oamBlocks());
    blocks.addAll(Golden.experimentBlocks());
    blocks.addAll(Golden.heritageBlocks());
    MemoryBlocks model = new MemoryBlocks();
    for (int key = 0; key < blocks.size(); key++) {
      model.put(key - 5, blocks.get(key).copy());
    }
    return model;
  }

  @Test
  void headAndModelComeBackBitForBit() throws IOException {
    for (SegmentHead head : Golden.heads()) {
      for (MemoryBlocks model : List.of(new MemoryBlocks(), everyKindOfBlock())) {
        byte[] packed = PackedSegment.pack(head, model);
        MemoryBlocks back = new MemoryBlocks();
        SegmentHead again = PackedSegment.unpack(packed, back);
        assertArrayEquals(
            Bytes.of(new HeadSerializer(), head), Bytes.of(new HeadSerializer(), again));
        assertEquals(model, back);
      }
    }
  }

  @Test
  void damagedBytesAreRefusedAndClaimedLengthsAreNotBelieved() throws IOException {
    byte[] packed = PackedSegment.pack(new SegmentHead(), everyKindOfBlock());
    for (int length = 0; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThrows(
          IOException.class, () -> PackedSegment.unpack(cut, new MemoryBlocks()), "cut " + length);
    }
    for (int claimed : List.of(-1, 0, packed.length, Integer.MAX_VALUE)) {
      byte[] other = packed.clone();
      ByteBuffer.wrap(other).putInt(claimed);
      assertThrows(
          IOException.class, () -> PackedSegment.unpack(other, new MemoryBlocks()), "" + claimed);
    }
    SplittableRandom random = new SplittableRandom(SEED);
    int refused = 0;
    for (int i = 0; i < 500; i++) {
      byte[] other = packed.clone();
      other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      try {
        PackedSegment.unpack(other, new MemoryBlocks());
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 250, "seed " + SEED + ": only " + refused + " of 500 flips were refused");
  }
}
