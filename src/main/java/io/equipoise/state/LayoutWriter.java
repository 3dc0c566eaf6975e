package io.equipoise.state;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/** Writes the elements of layouts. Big-endian. */
public final class LayoutWriter {
  static final int NULL_LENGTH = -1;

  private static final int INITIAL_BYTES = 1 << 10;

  /** A larger writer is not reused. */
  private static final int KEPT_BYTES = 1 << 16;

  /** The idle writer of a thread; a value within a value takes a new one. */
  private static final ThreadLocal<@Nullable LayoutWriter> IDLE = new ThreadLocal<>();

  private final DataOutputSerializer out = new DataOutputSerializer(INITIAL_BYTES);

  private LayoutWriter() {}

  /** Returns an empty writer; return it with {@link #giveBack}. */
  static LayoutWriter take() {
    LayoutWriter idle = IDLE.get();
    if (idle == null) {
      return new LayoutWriter();
    }
    IDLE.set(null);
    idle.out.clear();
    return idle;
  }

  /** Makes this writer available to this thread's next value. */
  void giveBack() {
    if (out.getSharedBuffer().length <= KEPT_BYTES) {
      IDLE.set(this);
    }
  }

  /** Reserves space for the length. */
  void begin() throws IOException {
    out.writeInt(0);
  }

  /** Fills in the length of the bytes since {@link #begin} and writes everything at once. */
  void endInto(DataOutputView target) throws IOException {
    out.writeIntUnsafe(out.length() - Integer.BYTES, 0);
    target.write(out.getSharedBuffer(), 0, out.length());
  }

  /** Returns everything that was written. */
  byte[] bytes() {
    return out.getCopyOfBuffer();
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

  /** Writes the raw bits, so that every value is restored exactly. */
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

  /** Writes the number of elements (i32) and each element. */
  public void writeInts(int[] values) throws IOException {
    out.writeInt(values.length);
    for (int value : values) {
      out.writeInt(value);
    }
  }

  /** Writes the number of elements (i32) and the raw bits of each element. */
  public void writeDoubles(double[] values) throws IOException {
    out.writeInt(values.length);
    for (double value : values) {
      writeDouble(value);
    }
  }

  /** Writes the number of elements (i32) and each element. */
  public void writeLongs(long[] values) throws IOException {
    out.writeInt(values.length);
    for (long value : values) {
      out.writeLong(value);
    }
  }
}
