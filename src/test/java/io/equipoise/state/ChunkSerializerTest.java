package io.equipoise.state;

import io.equipoise.join.IdChunk;
import java.util.SplittableRandom;

class ChunkSerializerTest extends SerializerContract<IdChunk> {
  ChunkSerializerTest() {
    super(new ChunkSerializer(), Golden.chunks());
  }

  @Override
  IdChunk random(SplittableRandom random) {
    return IdChunk.ofWords(random.longs(2L * random.nextInt(1, IdChunk.CAPACITY + 1)).toArray());
  }

  @Override
  Object parts(IdChunk chunk) {
    return chunk;
  }

  @Override
  void change(IdChunk chunk) {}
}
