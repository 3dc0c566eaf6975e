package io.equipoise.state;

import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import io.equipoise.segment.state.DueChunk;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Serializes a chunk of a due index, version 1, big-endian.
 *
 * <pre>
 *   0 version (u8)   1 words, twice the ids (i32)   5 per id: high (i64), low (i64)
 * </pre>
 */
public final class ChunkSerializer extends LayoutSerializer<DueChunk> {
  private static final long serialVersionUID = 1L;

  @Override
  protected void write(DueChunk chunk, LayoutWriter out) throws IOException {
    out.writeLongs(chunk.words());
  }

  @Override
  protected DueChunk read(byte version, LayoutReader in) throws IOException {
    return DueChunk.ofWords(in.readLongs());
  }

  @Override
  public DueChunk createInstance() {
    return DueChunk.ofWords(new long[2]);
  }

  @Override
  public TypeSerializerSnapshot<DueChunk> snapshotConfiguration() {
    return new ChunkSnapshot();
  }
}
