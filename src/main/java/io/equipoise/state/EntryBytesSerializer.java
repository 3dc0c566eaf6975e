package io.equipoise.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Copies the bytes of an entry, which {@link EntrySerializer} encodes when it is stored and decodes
 * when it is asked for. Checkpoints write all entries again and again, and few are asked for in
 * between. Arrays are never changed.
 */
public final class EntryBytesSerializer extends StateSerializer<byte[]> {
  private static final long serialVersionUID = 1L;

  private static final EntrySerializer LAYOUT = new EntrySerializer();

  @Override
  public byte[] createInstance() {
    return new byte[0];
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(byte[] bytes, DataOutputView target) throws IOException {
    target.writeInt(bytes.length);
    target.write(bytes);
  }

  @Override
  public byte[] deserialize(DataInputView source) throws IOException {
    byte[] bytes = LayoutSerializer.readBytes(source, getClass().getSimpleName());
    LAYOUT.checkVersion(bytes[0]);
    return bytes;
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }

  @Override
  public TypeSerializerSnapshot<byte[]> snapshotConfiguration() {
    return new EntryBytesSnapshot();
  }
}
