package io.equipoise.state;

import io.equipoise.layout.LayoutException;
import io.equipoise.segment.state.DueIndex;
import io.equipoise.segment.state.SegmentState.DueKey;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes the key of a due-index chunk: queue (u8), bucket (i64), index (i32), big-endian. */
@SuppressWarnings("EnumOrdinal") // the order of queues is part of the layout
public final class DueKeySerializer extends StateSerializer<DueKey> {
  private static final long serialVersionUID = 1L;
  private static final DueIndex.Queue[] QUEUES = DueIndex.Queue.values();

  @Override
  public DueKey createInstance() {
    return new DueKey(DueIndex.Queue.PENDING, 0, 0);
  }

  @Override
  public int getLength() {
    return 1 + Long.BYTES + Integer.BYTES;
  }

  @Override
  public void serialize(DueKey key, DataOutputView target) throws IOException {
    target.writeByte(key.queue().ordinal());
    target.writeLong(key.bucket());
    target.writeInt(key.index());
  }

  @Override
  public DueKey deserialize(DataInputView source) throws IOException {
    int queue = source.readByte();
    if (queue < 0 || queue >= QUEUES.length) {
      throw new LayoutException("DueKeySerializer: unknown queue " + queue);
    }
    long bucket = source.readLong();
    return new DueKey(QUEUES[queue], bucket, source.readInt());
  }

  @Override
  public TypeSerializerSnapshot<DueKey> snapshotConfiguration() {
    return new DueKeySnapshot();
  }
}
