package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.segment.state.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PackedSegmentTest {
  private static final long SEED = 20_261_121;

  private static MemoryModelState everyKindOfBlock() {
    List<StateBlock> blocks = new ArrayList<>(Golden.blocks());
    blocks.addAll(Golden.logisticBlocks());
    blocks.addAll(Golden.dualBlocks());
    blocks.addAll(Golden.evidenceBlocks());
    blocks.addAll(Golden.oamBlocks());
    blocks.addAll(Golden.linearBlocks());
    blocks.addAll(Golden.experimentBlocks());
    blocks.addAll(Golden.heritageBlocks());
    MemoryModelState model = new MemoryModelState();
    for (int key = 0; key < blocks.size(); key++) {
      model.put(key - 5, blocks.get(key).copy());
    }
    return model;
  }

  @Test
  void headAndModelComeBackBitForBit() throws IOException {
    for (SegmentHeader head : Golden.heads()) {
      for (MemoryModelState model : List.of(new MemoryModelState(), everyKindOfBlock())) {
        byte[] packed = PackedSegment.pack(head, model);
        MemoryModelState back = new MemoryModelState();
        SegmentHeader again = PackedSegment.unpack(packed, back);
        assertArrayEquals(
            Bytes.of(new HeadSerializer(), head), Bytes.of(new HeadSerializer(), again));
        assertEquals(model, back);
      }
    }
  }

  @Test
  void damagedBytesAreRefusedAndClaimedLengthsAreNotBelieved() throws IOException {
    byte[] packed = PackedSegment.pack(new SegmentHeader(), everyKindOfBlock());
    for (int length = 0; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThrows(
          IOException.class,
          () -> PackedSegment.unpack(cut, new MemoryModelState()),
          "cut " + length);
    }
    for (int claimed : List.of(-1, 0, packed.length, Integer.MAX_VALUE)) {
      byte[] other = packed.clone();
      ByteBuffer.wrap(other).putInt(claimed);
      assertThrows(
          IOException.class,
          () -> PackedSegment.unpack(other, new MemoryModelState()),
          "" + claimed);
    }
    SplittableRandom random = new SplittableRandom(SEED);
    int refused = 0;
    for (int i = 0; i < 500; i++) {
      byte[] other = packed.clone();
      other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      try {
        PackedSegment.unpack(other, new MemoryModelState());
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 250, "seed " + SEED + ": only " + refused + " of 500 flips were refused");
    MemoryModelState back = new MemoryModelState();
    PackedSegment.unpack(packed, back);
    assertEquals(everyKindOfBlock(), back, "damaged bytes leave nothing behind");
  }
}
