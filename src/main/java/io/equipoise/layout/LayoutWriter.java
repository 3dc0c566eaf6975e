package io.equipoise.layout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the elements of layouts into a growing buffer, which belongs to one thread and one value
 * at a time.
 */
public final class LayoutWriter extends Layout {
  /** The length of null. */
  public static final int NULL_LENGTH = -1;

  private static final int INITIAL_BYTES = 1 << 10;

  /** A larger writer is not reused. */
  private static final int KEPT_BYTES = 1 << 16;

  /** The idle writer of a thread; a value within a value takes a new one. */
  private static final ThreadLocal<@Nullable LayoutWriter> IDLE = new ThreadLocal<>();

  private ByteBuffer out = ByteBuffer.allocate(INITIAL_BYTES);

  private LayoutWriter() {}

  /** Returns an empty writer; return it with {@link #giveBack}. */
  public static LayoutWriter take() {
    LayoutWriter idle = IDLE.get();
    if (idle == null) {
      return new LayoutWriter();
    }
    IDLE.set(null);
    idle.out.clear();
    return idle;
  }

  /** Makes this writer available to this thread's next value. */
  public void giveBack() {
    if (out.capacity() <= KEPT_BYTES) {
      IDLE.set(this);
    }
  }

  /** Returns the number of bytes that were written. */
  public int length() {
    return out.position();
  }

  /** Returns the buffer, which has {@link #length} bytes that were written. */
  public byte[] array() {
    return out.array();
  }

  /** Returns a copy of everything that was written. */
  public byte[] bytes() {
    return Arrays.copyOf(out.array(), out.position());
  }

  /** Returns a reader of everything that was written, until the next write. */
  LayoutReader reader(Class<?> value) {
    return new LayoutReader(value, ByteBuffer.wrap(out.array(), 0, out.position()));
  }

  LayoutWriter with(Stored value) {
    try {
      value.layout(this);
      return this;
    } catch (LayoutException e) {
      throw new IllegalStateException("a writer rejects nothing", e);
    }
  }

  private ByteBuffer reserve(int more) {
    if (more > out.remaining()) {
      int least = Math.addExact(out.position(), more);
      int doubled = (int) Math.min(2L * out.capacity(), Integer.MAX_VALUE - Long.BYTES);
      out = ByteBuffer.allocate(Math.max(least, doubled)).put(out.flip());
    }
    return out;
  }

  public void writeByte(int value) {
    reserve(1).put((byte) value);
  }

  public void writeInt(int value) {
    reserve(Integer.BYTES).putInt(value);
  }

  public void writeLong(long value) {
    reserve(Long.BYTES).putLong(value);
  }

  /** Writes the raw bits, so that every value is restored exactly. */
  public void writeDouble(double value) {
    writeLong(Double.doubleToRawLongBits(value));
  }

  /** Writes the number of bytes (i32), -1 for null, and the bytes. */
  public void writeBytes(byte @Nullable [] value) {
    if (value == null) {
      writeInt(NULL_LENGTH);
    } else {
      writeInt(value.length);
      bytes(value);
    }
  }

  /** Writes a string as its UTF-8 bytes. */
  public void writeString(@Nullable String value) {
    writeBytes(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the number of bytes (i32) and a value. */
  public void writePart(Stored value) {
    int start = length();
    writeInt(0);
    with(value);
    endPart(start);
  }

  /** Fills in the number of bytes since an int at {@code start}. */
  public void endPart(int start) {
    out.putInt(start, length() - start - Integer.BYTES);
  }

  /** Writes the number of elements (i32) and each element. */
  public void writeInts(int[] values) {
    reserve(Math.addExact(Integer.BYTES, Math.multiplyExact(Integer.BYTES, values.length)));
    out.putInt(values.length);
    for (int value : values) {
      out.putInt(value);
    }
  }

  /** Writes the number of elements (i32) and the raw bits of each element. */
  public void writeDoubles(double[] values) {
    writeInt(values.length);
    f64s(values, 0, values.length);
  }

  /** Writes the number of elements (i32) and each element. */
  public void writeLongs(long[] values) {
    writeInt(values.length);
    i64s(values);
  }

  @Override
  public boolean isReading() {
    return false;
  }

  @Override
  public void begin(byte format) {
    writeByte(format);
  }

  @Override
  public byte i8(int value) {
    writeByte(value);
    return (byte) value;
  }

  @Override
  public int i32(int value) {
    writeInt(value);
    return value;
  }

  @Override
  public long i64(long value) {
    writeLong(value);
    return value;
  }

  @Override
  public double f64(double value) {
    writeDouble(value);
    return value;
  }

  @Override
  public String text(String value) {
    writeString(value);
    return value;
  }

  @Override
  public int count(int count, int bytesEach) {
    writeInt(count);
    return count;
  }

  @Override
  public void f64s(double[] values, int from, int to) {
    ByteBuffer into = reserve(Math.multiplyExact(Double.BYTES, to - from));
    for (int i = from; i < to; i++) {
      into.putLong(Double.doubleToRawLongBits(values[i]));
    }
  }

  @Override
  public void i64s(long[] values) {
    ByteBuffer into = reserve(Math.multiplyExact(Long.BYTES, values.length));
    for (long value : values) {
      into.putLong(value);
    }
  }

  @Override
  public void bytes(byte[] values) {
    reserve(values.length).put(values);
  }

  @Override
  public byte[] rest(byte[] values) {
    bytes(values);
    return values;
  }

  @Override
  public void fits(long bytes) {}

  @Override
  public void check(boolean isValid, String what, long value) {}

  @Override
  public void part(Stored part) {
    with(part);
  }
}
