package io.equipoise.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * Bytes of an attempt at a checkpoint, version 1. Big-endian, behind their length (i32).
 *
 * <pre>
 *   0 version (u8)   1 attempt (i32)   5 first key group (i32)   9 last key group (i32)
 *  13 partitions (i32), then an offset (i64) each
 *     answers (i32), then of each the number of its bytes (i32) and its framed Avro record
 * </pre>
 */
public final class AttemptStateSerializer extends LayoutSerializer<AttemptState> {
  private static final long serialVersionUID = 1L;

  @Override
  protected byte version() {
    return 1;
  }

  @Override
  protected void write(AttemptState state, LayoutWriter out) throws IOException {
    out.writeInt(state.attempt());
    out.writeInt(state.firstKeyGroup());
    out.writeInt(state.lastKeyGroup());
    out.writeLongs(state.offsets().stream().mapToLong(Long::longValue).toArray());
    out.writeInt(state.answers().size());
    for (byte[] answer : state.answers()) {
      out.writeBytes(answer);
    }
  }

  @Override
  protected AttemptState read(byte version, LayoutReader in) throws IOException {
    int attempt = in.readInt();
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
    return new AttemptState(attempt, first, last, offsets, answers);
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public AttemptState copy(AttemptState from) {
    return from;
  }

  @Override
  public AttemptState createInstance() {
    return new AttemptState(0, 0, 0, List.of(), List.of());
  }

  @Override
  public TypeSerializerSnapshot<AttemptState> snapshotConfiguration() {
    return new AttemptStateSnapshot();
  }
}
