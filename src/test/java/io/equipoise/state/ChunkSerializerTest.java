package io.equipoise.state;

import io.equipoise.segment.state.DueChunk;
import java.util.SplittableRandom;

class ChunkSerializerTest extends SerializerContract<DueChunk> {
  ChunkSerializerTest() {
    super(new ChunkSerializer(), Golden.chunks());
  }

  @Override
  DueChunk random(SplittableRandom random) {
    return DueChunk.ofWords(random.longs(2L * random.nextInt(1, DueChunk.CAPACITY + 1)).toArray());
  }

  @Override
  Object parts(DueChunk chunk) {
    return chunk;
  }

  @Override
  void change(DueChunk chunk) {}
}
