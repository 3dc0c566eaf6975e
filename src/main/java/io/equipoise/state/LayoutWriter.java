package io.equipoise.state;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Writes the parts that layouts are made of. Big-endian. */
public final class LayoutWriter {
  static final int NULL_LENGTH = -1;

  private static final int INITIAL_BYTES = 1 << 10;

  /** A writer that had to grow beyond this is not kept. */
  private static final int KEPT_BYTES = 1 << 16;

  /** The writer of a thread while it is not at work; a value within a value takes a new one. */
  private static final ThreadLocal<@Nullable LayoutWriter> IDLE = new ThreadLocal<>();

  private final DataOutputSerializer out = new DataOutputSerializer(INITIAL_BYTES);

  private LayoutWriter() {}

  /** Returns an empty writer, to be given back. */
  static LayoutWriter take() {
    LayoutWriter idle = IDLE.get();
    if (idle == null) {
      return new LayoutWriter();
    }
    IDLE.set(null);
    idle.out.clear();
    return idle;
  }

  /** Lets this thread's next value use this writer. */
  void giveBack() {
    if (out.getSharedBuffer().length <= KEPT_BYTES) {
      IDLE.set(this);
    }
  }

  /** Leaves room for the length. */
  void begin() throws IOException {
    out.writeInt(0);
  }

  /** Fills in the length of what was written since {@link #begin} and writes all at once. */
  void endInto(DataOutputView target) throws IOException {
    out.writeIntUnsafe(out.length() - Integer.BYTES, 0);
    target.write(out.getSharedBuffer(), 0, out.length());
  }

  public void writeByte(int value) throws IOException {
    out.writeByte(value);
  }

  public void writeInt(int value) throws IOException {
    out.writeInt(value);
  }

  public void writeLong(long value) throws IOException {
    out.writeLong(value);
  }

  /** Writes the raw bits, so that every value comes back as it was. */
  public void writeDouble(double value) throws IOException {
    out.writeLong(Double.doubleToRawLongBits(value));
  }

  /** Writes the number of bytes (i32), -1 for null, and the bytes. */
  public void writeBytes(byte @Nullable [] value) throws IOException {
    if (value == null) {
      out.writeInt(NULL_LENGTH);
    } else {
      out.writeInt(value.length);
      out.write(value);
    }
  }

  /** Writes a string as its UTF-8 bytes. */
  public void writeString(@Nullable String value) throws IOException {
    writeBytes(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the number of elements (i32) and each of them. */
  public void writeInts(int[] values) throws IOException {
    out.writeInt(values.length);
    for (int value : values) {
      out.writeInt(value);
    }
  }

  /** Writes the number of elements (i32) and the raw bits of each of them. */
  public void writeDoubles(double[] values) throws IOException {
    out.writeInt(values.length);
    for (double value : values) {
      writeDouble(value);
    }
  }

  /** Writes the number of elements (i32) and each of them. */
  public void writeLongs(long[] values) throws IOException {
    out.writeInt(values.length);
    for (long value : values) {
      out.writeLong(value);
    }
  }
}
