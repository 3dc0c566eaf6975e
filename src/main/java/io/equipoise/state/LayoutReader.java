package io.equipoise.state;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the elements of layouts and rejects lengths that exceed the remaining bytes. */
public final class LayoutReader {
  private final String layout;
  private final ByteBuffer in;

  LayoutReader(String layout, byte[] bytes) {
    this.layout = layout;
    this.in = ByteBuffer.wrap(bytes);
  }

  public byte readByte() throws IOException {
    require(1);
    return in.get();
  }

  /** Reads 0 or 1. */
  public boolean readBoolean() throws IOException {
    byte truth = readByte();
    if (truth != 0 && truth != 1) {
      throw new LayoutException(layout + ": " + truth + " is not a boolean");
    }
    return truth == 1;
  }

  public int readInt() throws IOException {
    require(Integer.BYTES);
    return in.getInt();
  }

  public long readLong() throws IOException {
    require(Long.BYTES);
    return in.getLong();
  }

  public double readDouble() throws IOException {
    return Double.longBitsToDouble(readLong());
  }

  public byte @Nullable [] readNullableBytes() throws IOException {
    int length = readNullableLength();
    if (length == LayoutWriter.NULL_LENGTH) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private int readNullableLength() throws IOException {
    int length = readInt();
    if (length != LayoutWriter.NULL_LENGTH) {
      require(length);
    }
    return length;
  }

  public byte[] readBytes() throws IOException {
    byte[] bytes = readNullableBytes();
    if (bytes == null) {
      throw missing();
    }
    return bytes;
  }

  private LayoutException missing() {
    return new LayoutException(layout + ": required bytes are null");
  }

  public @Nullable String readNullableString() throws IOException {
    int length = readNullableLength();
    return length == LayoutWriter.NULL_LENGTH ? null : text(length);
  }

  public String readString() throws IOException {
    String text = readNullableString();
    if (text == null) {
      throw missing();
    }
    return text;
  }

  /** Reads a part in the layout of another class, which must consume all its bytes. */
  public <T> T readPart(Function<ByteBuffer, T> part) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(readBytes());
    T value = part.apply(bytes);
    if (bytes.hasRemaining()) {
      throw new LayoutException(layout + ": a part has " + bytes.remaining() + " trailing bytes");
    }
    return value;
  }

  /** Invalid UTF-8 decodes to U+FFFD; only strings that contain it are checked again. */
  private String text(int length) throws LayoutException {
    int start = in.position();
    in.position(start + length);
    String text = new String(in.array(), start, length, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      if (!Arrays.equals(in.array(), start, start + length, utf8, 0, utf8.length)) {
        throw new LayoutException(layout + ": a string is not UTF-8");
      }
    }
    return text;
  }

  public int[] readInts() throws IOException {
    int[] values = new int[readCount(Integer.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.getInt();
    }
    return values;
  }

  public double[] readDoubles() throws IOException {
    double[] values = new double[readCount(Double.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = readDouble();
    }
    return values;
  }

  public long[] readLongs() throws IOException {
    long[] values = new long[readCount(Long.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.getLong();
    }
    return values;
  }

  /** Reads a number of elements of at least {@code bytesEach} bytes. */
  public int readCount(int bytesEach) throws IOException {
    int count = readNullableCount(bytesEach);
    if (count == LayoutWriter.NULL_LENGTH) {
      throw new LayoutException(layout + ": a required list is null");
    }
    return count;
  }

  /** Reads a number of elements like {@link #readCount}, or -1 for null. */
  int readNullableCount(int bytesEach) throws IOException {
    int count = readInt();
    if (count < LayoutWriter.NULL_LENGTH || (long) count * bytesEach > in.remaining()) {
      throw new LayoutException(
          "%s: %d elements do not fit into %d bytes".formatted(layout, count, in.remaining()));
    }
    return count;
  }

  /** Reads the ordinal of an enum constant. */
  public <E extends Enum<E>> E readEnum(E[] constants) throws IOException {
    int ordinal = readByte();
    if (ordinal < 0 || ordinal >= constants.length) {
      throw new LayoutException(layout + ": unknown enum ordinal " + ordinal);
    }
    return constants[ordinal];
  }

  void expectEnd() throws LayoutException {
    if (in.remaining() != 0) {
      throw new LayoutException(layout + ": " + in.remaining() + " trailing bytes");
    }
  }

  private void require(int bytes) throws IOException {
    if (bytes < 0 || bytes > in.remaining()) {
      throw new EOFException(
          "%s: %d bytes required, %d left".formatted(layout, bytes, in.remaining()));
    }
  }
}
