package io.equipoise.state;

import io.equipoise.join.IdChunk;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a chunk of an agenda in savepoints. Never rename or move. */
public final class ChunkSnapshot extends LayoutSnapshot<IdChunk> {

  @Override
  public TypeSerializer<IdChunk> restoreSerializer() {
    return new ChunkSerializer();
  }
}
