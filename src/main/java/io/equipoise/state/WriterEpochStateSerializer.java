package io.equipoise.state;

import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Serializes a writer epoch at a checkpoint, version 1, big-endian, after the length (i32).
 *
 * <pre>
 *   0 version (u8)   1 writer epoch (i32)   5 first key group (i32)   9 last key group (i32)
 *  13 partitions (i32), then an offset (i64) each
 *     decisions (i32), each: number of bytes (i32) and framed Avro record
 * </pre>
 */
public final class WriterEpochStateSerializer extends LayoutSerializer<WriterEpochState> {
  private static final long serialVersionUID = 1L;

  @Override
  protected void write(WriterEpochState state, LayoutWriter out) throws IOException {
    out.writeInt(state.writerEpoch());
    out.writeInt(state.firstKeyGroup());
    out.writeInt(state.lastKeyGroup());
    out.writeLongs(state.offsets().stream().mapToLong(Long::longValue).toArray());
    out.writeInt(state.answers().size());
    for (byte[] answer : state.answers()) {
      out.writeBytes(answer);
    }
  }

  @Override
  protected WriterEpochState read(byte version, LayoutReader in) throws IOException {
    int writerEpoch = in.readInt();
    int first = in.readInt();
    int last = in.readInt();
    List<Long> offsets = new ArrayList<>();
    for (long offset : in.readLongs()) {
      offsets.add(offset);
    }
    int count = in.readCount(Integer.BYTES);
    List<byte[]> answers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      answers.add(in.readBytes());
    }
    return new WriterEpochState(writerEpoch, first, last, offsets, answers);
  }

  @Override
  public WriterEpochState createInstance() {
    return new WriterEpochState(0, 0, 0, List.of(), List.of());
  }

  @Override
  public TypeSerializerSnapshot<WriterEpochState> snapshotConfiguration() {
    return new WriterEpochStateSnapshot();
  }
}
