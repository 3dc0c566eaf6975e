package io.equipoise.state;

import io.equipoise.bandit.CellBlock;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

class BlockSerializerTest extends SerializerContract<CellBlock> {
  BlockSerializerTest() {
    super(new BlockSerializer(), Golden.blocks());
  }

  @Override
  CellBlock random(SplittableRandom random) {
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
  Object parts(CellBlock block) {
    return block;
  }

  @Override
  void change(CellBlock block) {
    if (!block.hasSums()) {
      block.merge(Golden.block(block.cells(), false));
    }
  }
}
