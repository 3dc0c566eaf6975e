package io.equipoise.state;

import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Serializes {@link WrittenState}, version 1, big-endian, after the length (i32).
 *
 * <pre>
 *   0 version (u8)   deployment (string)
 *     topics read (i32), each: name (string)  id (string)
 *     offsets read (i32), each: topic (string)  partition (i32)  offset (i64)
 *     ends (i32), each the same
 *     ranges (i32), each: segment (string)  first seq (i64)  last seq (i64)
 * </pre>
 */
public final class WrittenStateSerializer extends LayoutSerializer<WrittenState> {
  private static final long serialVersionUID = 1L;
  private static final int LEAST_TOPIC_BYTES = Integer.BYTES + Integer.BYTES;
  private static final int LEAST_OFFSET_BYTES = Integer.BYTES + Integer.BYTES + Long.BYTES;
  private static final int LEAST_RANGE_BYTES = Integer.BYTES + Long.BYTES + Long.BYTES;

  @Override
  protected void write(WrittenState state, LayoutWriter out) throws IOException {
    out.writeString(state.deployment());
    out.writeInt(state.inputs().size());
    for (WrittenState.Topic topic : state.inputs()) {
      out.writeString(topic.name());
      out.writeString(topic.id());
    }
    write(state.read(), out);
    write(state.ends(), out);
    out.writeInt(state.unconfirmed().size());
    for (WrittenState.SeqRange range : state.unconfirmed()) {
      out.writeString(range.segment());
      out.writeLong(range.first());
      out.writeLong(range.last());
    }
  }

  private static void write(List<WrittenState.Offset> offsets, LayoutWriter out)
      throws IOException {
    out.writeInt(offsets.size());
    for (WrittenState.Offset offset : offsets) {
      out.writeString(offset.topic());
      out.writeInt(offset.partition());
      out.writeLong(offset.offset());
    }
  }

  @Override
  protected WrittenState read(byte version, LayoutReader in) throws IOException {
    String deployment = in.readString();
    int topics = in.readCount(LEAST_TOPIC_BYTES);
    List<WrittenState.Topic> inputs = new ArrayList<>(topics);
    for (int i = 0; i < topics; i++) {
      inputs.add(new WrittenState.Topic(in.readString(), in.readString()));
    }
    List<WrittenState.Offset> read = readOffsets(in);
    List<WrittenState.Offset> ends = readOffsets(in);
    int count = in.readCount(LEAST_RANGE_BYTES);
    List<WrittenState.SeqRange> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ranges.add(new WrittenState.SeqRange(in.readString(), in.readLong(), in.readLong()));
    }
    return new WrittenState(deployment, inputs, read, ends, ranges);
  }

  private static List<WrittenState.Offset> readOffsets(LayoutReader in) throws IOException {
    int count = in.readCount(LEAST_OFFSET_BYTES);
    List<WrittenState.Offset> offsets = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      offsets.add(new WrittenState.Offset(in.readString(), in.readInt(), in.readLong()));
    }
    return offsets;
  }

  @Override
  public WrittenState createInstance() {
    return new WrittenState("", List.of(), List.of(), List.of(), List.of());
  }

  @Override
  public TypeSerializerSnapshot<WrittenState> snapshotConfiguration() {
    return new WrittenStateSnapshot();
  }
}
