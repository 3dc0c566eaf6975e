package io.equipoise.state;

import io.equipoise.event.IdHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a decision id's hash: high (i64), low (i64), big-endian. */
public final class IdHashSerializer extends StateSerializer<IdHash> {
  private static final long serialVersionUID = 1L;

  @Override
  public IdHash createInstance() {
    return new IdHash(0, 0);
  }

  @Override
  public int getLength() {
    return 2 * Long.BYTES;
  }

  @Override
  public void serialize(IdHash id, DataOutputView target) throws IOException {
    byte[] bytes =
        new byte[2 * Long.BYTES]; // one write per key, because checkpoints write all keys
    ByteBuffer.wrap(bytes).putLong(id.high()).putLong(id.low());
    target.write(bytes, 0, bytes.length);
  }

  @Override
  public IdHash deserialize(DataInputView source) throws IOException {
    long high = source.readLong();
    return new IdHash(high, source.readLong());
  }

  @Override
  public TypeSerializerSnapshot<IdHash> snapshotConfiguration() {
    return new IdHashSnapshot();
  }
}
