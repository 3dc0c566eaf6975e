package io.equipoise.layout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of layouts and rejects lengths that exceed the remaining bytes. The state is
 * the position in the buffer; for one thread.
 */
public final class LayoutReader extends Layout {
  private final ByteBuffer in;

  /** The innermost value, which errors name. */
  private Class<?> value;

  LayoutReader(Class<?> value, ByteBuffer in) {
    this.value = value;
    this.in = in;
  }

  /**
   * Reads from the beginning.
   *
   * @param value of the bytes, or its serializer, which errors name
   */
  public LayoutReader(Class<?> value, byte[] bytes) {
    this(value, ByteBuffer.wrap(bytes));
  }

  /** Reads a value that takes all the bytes and returns it. */
  public static <T extends Stored> T read(byte[] bytes, T empty) throws LayoutException {
    LayoutReader in = new LayoutReader(empty.getClass(), bytes);
    in.part(empty);
    in.expectEnd();
    return empty;
  }

  public byte readByte() throws LayoutException {
    fits(1);
    return in.get();
  }

  /** Reads 0 or 1. */
  public boolean readBoolean() throws LayoutException {
    byte truth = readByte();
    if (truth != 0 && truth != 1) {
      throw invalid(truth + " is not a boolean");
    }
    return truth == 1;
  }

  public int readInt() throws LayoutException {
    fits(Integer.BYTES);
    return in.getInt();
  }

  public long readLong() throws LayoutException {
    fits(Long.BYTES);
    return in.getLong();
  }

  public double readDouble() throws LayoutException {
    return Double.longBitsToDouble(readLong());
  }

  public byte @Nullable [] readNullableBytes() throws LayoutException {
    int length = readNullableLength();
    if (length == LayoutWriter.NULL_LENGTH) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private int readNullableLength() throws LayoutException {
    int length = readInt();
    if (length != LayoutWriter.NULL_LENGTH) {
      fits(length);
    }
    return length;
  }

  public byte[] readBytes() throws LayoutException {
    byte[] bytes = readNullableBytes();
    if (bytes == null) {
      throw invalid("required bytes are null");
    }
    return bytes;
  }

  /** Returns an error that names the value. */
  public LayoutException invalid(String why) {
    return new LayoutException(value.getSimpleName() + ": " + why);
  }

  public @Nullable String readNullableString() throws LayoutException {
    int length = readNullableLength();
    return length == LayoutWriter.NULL_LENGTH ? null : text(length);
  }

  public String readString() throws LayoutException {
    String text = readNullableString();
    if (text == null) {
      throw invalid("required bytes are null");
    }
    return text;
  }

  /** Reads the number of bytes (i32) and a value that takes all of them. */
  public <T extends Stored> T readPart(Choice<T> choice) throws LayoutException {
    int length = readCount(1);
    int limit = in.limit();
    in.limit(in.position() + length);
    T read = choice.emptyOf(length == 0 ? 0 : Byte.toUnsignedInt(in.get(in.position())));
    part(read);
    if (in.hasRemaining()) {
      value = read.getClass();
      expectEnd();
    }
    in.limit(limit);
    return read;
  }

  /** Chooses the class of a value. */
  @FunctionalInterface
  public interface Choice<T extends Stored> {
    /**
     * Returns an empty value.
     *
     * @param format the first byte, unsigned, or 0
     * @throws IllegalArgumentException if no value has the format
     */
    T emptyOf(int format);
  }

  /** Invalid UTF-8 decodes to U+FFFD; only strings that contain it are checked again. */
  private String text(int length) throws LayoutException {
    int start = in.arrayOffset() + in.position();
    in.position(in.position() + length);
    String text = new String(in.array(), start, length, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      if (!Arrays.equals(in.array(), start, start + length, utf8, 0, utf8.length)) {
        throw invalid("a string is not UTF-8");
      }
    }
    return text;
  }

  public int[] readInts() throws LayoutException {
    int[] values = new int[readCount(Integer.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.getInt();
    }
    return values;
  }

  public double[] readDoubles() throws LayoutException {
    double[] values = new double[readCount(Double.BYTES)];
    f64s(values);
    return values;
  }

  public long[] readLongs() throws LayoutException {
    long[] values = new long[readCount(Long.BYTES)];
    i64s(values);
    return values;
  }

  /** Reads a number of elements of at least {@code bytesEach} bytes. */
  public int readCount(int bytesEach) throws LayoutException {
    int count = readNullableCount(bytesEach);
    if (count == LayoutWriter.NULL_LENGTH) {
      throw invalid("a required list is null");
    }
    return count;
  }

  /** Reads a number of elements like {@link #readCount}, or -1 for null. */
  public int readNullableCount(int bytesEach) throws LayoutException {
    int count = readInt();
    if (count < LayoutWriter.NULL_LENGTH || (long) count * bytesEach > in.remaining()) {
      throw invalid("%d elements do not fit into %d bytes".formatted(count, in.remaining()));
    }
    return count;
  }

  /** Reads the ordinal of an enum constant. */
  public <E extends Enum<E>> E readEnum(E[] constants) throws LayoutException {
    int ordinal = readByte();
    if (ordinal < 0 || ordinal >= constants.length) {
      throw invalid("unknown enum ordinal " + ordinal);
    }
    return constants[ordinal];
  }

  public void expectEnd() throws LayoutException {
    if (in.remaining() != 0) {
      throw invalid(in.remaining() + " trailing bytes");
    }
  }

  @Override
  public boolean isReading() {
    return true;
  }

  @Override
  public void begin(byte format) throws LayoutException {
    byte found = readByte();
    check(found == format, "unknown format", Byte.toUnsignedInt(found));
  }

  @Override
  public byte i8(int unused) throws LayoutException {
    return readByte();
  }

  @Override
  public int i32(int unused) throws LayoutException {
    return readInt();
  }

  @Override
  public long i64(long unused) throws LayoutException {
    return readLong();
  }

  @Override
  public double f64(double unused) throws LayoutException {
    return readDouble();
  }

  @Override
  public String text(String unused) throws LayoutException {
    return readString();
  }

  @Override
  public int count(int unused, int bytesEach) throws LayoutException {
    return readCount(bytesEach);
  }

  @Override
  public void f64s(double[] values, int from, int to) throws LayoutException {
    fits((long) Double.BYTES * (to - from));
    for (int i = from; i < to; i++) {
      values[i] = Double.longBitsToDouble(in.getLong());
    }
  }

  @Override
  public void i64s(long[] values) throws LayoutException {
    fits((long) Long.BYTES * values.length);
    for (int i = 0; i < values.length; i++) {
      values[i] = in.getLong();
    }
  }

  @Override
  public void bytes(byte[] values) throws LayoutException {
    fits(values.length);
    in.get(values);
  }

  @Override
  public byte[] rest(byte[] unused) throws LayoutException {
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    return rest;
  }

  @Override
  public void fits(long bytes) throws LayoutException {
    if (bytes < 0 || bytes > in.remaining()) {
      throw invalid("%d bytes required, %d left".formatted(bytes, in.remaining()));
    }
  }

  @Override
  public void check(boolean isValid, String what, long number) throws LayoutException {
    if (!isValid) {
      throw invalid(what + " " + number);
    }
  }

  @Override
  public void part(Stored part) throws LayoutException {
    Class<?> outer = value;
    value = part.getClass();
    part.layout(this);
    value = outer;
  }
}
