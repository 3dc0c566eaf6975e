package io.equipoise.state;

import io.equipoise.bandit.Block;
import io.equipoise.bandit.CellBlock;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

class BlockSerializerTest extends SerializerContract<Block> {
  BlockSerializerTest() {
    super(new BlockSerializer(), Golden.blocks());
  }

  @Override
  Block random(SplittableRandom random) {
    RandomValues values = new RandomValues(random);
    int cells = random.nextInt(1, 5);
    boolean withSums = random.nextBoolean();
    ByteBuffer bytes = ByteBuffer.allocate(new CellBlock(cells, withSums).byteLength());
    bytes.put((byte) 1).put((byte) (withSums ? 1 : 0)).putInt(cells);
    while (bytes.hasRemaining()) {
      bytes.putDouble(values.real());
    }
    return CellBlock.readFrom(bytes.flip());
  }

  @Override
  Object parts(Block block) {
    return block;
  }

  @Override
  void change(Block changed) {
    CellBlock block = (CellBlock) changed;
    if (!block.hasSums()) {
      block.merge(Golden.block(block.cells(), false));
    }
  }
}
