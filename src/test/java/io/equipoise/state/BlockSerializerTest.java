package io.equipoise.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.tabular.CellBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class BlockSerializerTest extends SerializerContract<StateBlock> {
  BlockSerializerTest() {
    super(new BlockSerializer(), Golden.blocks());
  }

  @Override
  StateBlock random(SplittableRandom random) {
    RandomValues values = new RandomValues(random);
    int cells = random.nextInt(1, 5);
    ByteBuffer bytes = ByteBuffer.allocate(new CellBlock(cells).byteLength());
    bytes.put((byte) 1).putInt(cells);
    while (bytes.hasRemaining()) {
      bytes.putDouble(values.real());
    }
    return StoredBytes.read(new CellBlock(), bytes.flip());
  }

  @Test
  void goldenBytesOfLogisticBlocksAreReadForEver() throws IOException {
    assertGolden("block-logistic-v1.bin", Golden.logisticBlocks());
  }

  @Test
  void goldenBytesOfDualVariablesAreReadForEver() throws IOException {
    assertGolden("block-dual-v1.bin", Golden.dualBlocks());
  }

  @Test
  void goldenBytesOfAllocationMatchingAreReadForEver() throws IOException {
    assertGolden("block-oam-v1.bin", Golden.oamBlocks());
    assertGolden("block-linear-v1.bin", Golden.linearBlocks());
  }

  @Test
  void goldenBytesOfExperimentBlocksAreReadForEver() throws IOException {
    assertGolden("block-experiment-v1.bin", Golden.experimentBlocks());
  }

  @Test
  void goldenBytesOfEvidenceAreReadForEver() throws IOException {
    assertGolden("block-evidence-v1.bin", Golden.evidenceBlocks());
  }

  @Test
  void goldenBytesOfWhatEarlierSpecsMeantAreReadForEver() throws IOException {
    assertGolden("block-heritage-v1.bin", Golden.heritageBlocks());
  }

  private static void assertGolden(String file, List<StateBlock> blocks) throws IOException {
    byte[] golden = GoldenBytes.resource(file);
    DataInputDeserializer in = new DataInputDeserializer(golden);
    DataOutputSerializer again = new DataOutputSerializer(golden.length);
    BlockSerializer serializer = new BlockSerializer();
    for (StateBlock expected : blocks) {
      StateBlock read = serializer.deserialize(in);
      assertEquals(expected, read);
      assertEquals(expected, serializer.copy(read));
      assertNotSame(read, serializer.copy(read));
      serializer.serialize(read, again);
    }
    assertEquals(0, in.available(), "bytes left over");
    assertArrayEquals(golden, again.getCopyOfBuffer());
  }

  @Test
  void blocksOfPoliciesThatCannotBeAreRefused() {
    List<StateBlock> blocks = new ArrayList<>(Golden.logisticBlocks());
    blocks.addAll(Golden.oamBlocks());
    blocks.addAll(Golden.linearBlocks());
    blocks.addAll(Golden.heritageBlocks());
    for (StateBlock stateBlock : blocks) {
      byte[] bytes = stateBlock.toBytes();
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThrows(Exception.class, () -> read(cut), "cut to " + length + " bytes");
      }
      byte[] other = bytes.clone();
      other[0] = 79;
      assertThrows(Exception.class, () -> read(other));
    }
  }

  @Test
  void lengthsOfAllocationMatchingThatCannotBeAreRefusedBeforeAnythingIsAllocated() {
    for (int format : List.of(112, 113)) {
      for (int rows : List.of(0, -1, Integer.MAX_VALUE, 1 << 20)) {
        ByteBuffer bytes = ByteBuffer.allocate(64).put((byte) format);
        bytes.putInt(format == 112 ? 1 : rows).putInt(rows);
        assertThrows(IOException.class, () -> read(bytes.array()), "rows " + rows);
      }
    }
    ByteBuffer beyond = ByteBuffer.allocate(31).put((byte) 113).putInt(1).putLong(0).putLong(0);
    beyond.putDouble(1).put((byte) 2).put((byte) 0);
    assertThrows(IOException.class, () -> read(beyond.array()), "row 1 of 1");
  }

  @Test
  void countsOfWhatEarlierSpecsMeantThatCannotBeAreRefusedBeforeAnythingIsAllocated() {
    for (int count : List.of(-1, Integer.MAX_VALUE, 8)) {
      ByteBuffer arms = ByteBuffer.allocate(64).put((byte) 128).putInt(count);
      assertThrows(IOException.class, () -> read(arms.array()), count + " arms");
      ByteBuffer id = ByteBuffer.allocate(24).put((byte) 128).putInt(1).putInt(count * 3);
      assertThrows(IOException.class, () -> read(id.array()), count + " characters");
      ByteBuffer epochs = ByteBuffer.allocate(64).put((byte) 128).putInt(0).putInt(count);
      assertThrows(IOException.class, () -> read(epochs.array()), count + " epochs");
      ByteBuffer levels = ByteBuffer.allocate(29).put((byte) 128).putInt(0).putInt(1);
      levels.putInt(7).putInt(1).putInt(1).putInt(count == 8 ? -8 : count);
      assertThrows(IOException.class, () -> read(levels.array()), "levels " + count);
    }
  }

  private static StateBlock read(byte[] bytes) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(bytes.length + 5);
    out.writeByte(1);
    out.writeInt(bytes.length);
    out.write(bytes);
    return new BlockSerializer().deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
  }

  @Override
  Object parts(StateBlock stateBlock) {
    return stateBlock;
  }

  @Override
  void change(StateBlock changed) {
    CellBlock block = (CellBlock) changed;
    block.merge(Golden.block(block.cells()));
  }
}
