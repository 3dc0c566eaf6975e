package io.equipoise.state;

import io.equipoise.segment.state.DueChunk;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Names the serializer of a due-index chunk in savepoints. Never rename or move. */
public final class ChunkSnapshot extends LayoutSnapshot<DueChunk> {

  @Override
  public TypeSerializer<DueChunk> restoreSerializer() {
    return new ChunkSerializer();
  }
}
