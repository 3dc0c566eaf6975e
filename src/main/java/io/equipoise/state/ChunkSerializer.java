package io.equipoise.state;

import io.equipoise.join.IdChunk;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Bytes of a chunk of an agenda, version 1. Big-endian.
 *
 * <pre>
 *   0 version (u8)   1 words, twice the ids (i32)   5 per id: high (i64), low (i64)
 * </pre>
 */
public final class ChunkSerializer extends LayoutSerializer<IdChunk> {
  private static final long serialVersionUID = 1L;

  @Override
  protected byte version() {
    return 1;
  }

  @Override
  protected void write(IdChunk chunk, LayoutWriter out) throws IOException {
    out.writeLongs(chunk.words());
  }

  @Override
  protected IdChunk read(byte version, LayoutReader in) throws IOException {
    return IdChunk.ofWords(in.readLongs());
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public IdChunk createInstance() {
    return IdChunk.ofWords(new long[2]);
  }

  @Override
  public IdChunk copy(IdChunk from) {
    return from;
  }

  @Override
  public TypeSerializerSnapshot<IdChunk> snapshotConfiguration() {
    return new ChunkSnapshot();
  }
}
