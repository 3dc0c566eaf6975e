package io.equipoise.state;

import io.equipoise.layout.LayoutException;
import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes values as their length (i32, big-endian) and a layout whose first byte is its version.
 */
public abstract class LayoutSerializer<T> extends StateSerializer<T> {
  private static final long serialVersionUID = 1L;

  private static final int FIRST_BYTES = 1 << 16;

  /** Returns the version that {@link #write} writes. */
  protected byte version() {
    return 1;
  }

  /** Writes a value after its version byte. */
  protected abstract void write(T value, LayoutWriter out) throws IOException;

  /** Reads a value of a version up to {@link #version}, after its version byte. */
  protected abstract T read(byte version, LayoutReader in) throws IOException;

  @Override
  public final void serialize(T value, DataOutputView target) throws IOException {
    LayoutWriter out = LayoutWriter.take();
    try {
      out.writeInt(0);
      out.writeByte(version());
      write(value, out);
      out.endPart(0);
      target.write(out.array(), 0, out.length());
    } finally {
      out.giveBack();
    }
  }

  /** Returns what {@link #serialize} writes after the length. */
  public final byte[] toBytes(T value) throws IOException {
    LayoutWriter out = LayoutWriter.take();
    try {
      out.writeByte(version());
      write(value, out);
      return out.bytes();
    } finally {
      out.giveBack();
    }
  }

  @Override
  public final T deserialize(DataInputView source) throws IOException {
    return fromBytes(readBytes(source, getClass().getSimpleName()));
  }

  /** Reads what {@link #toBytes} returned. */
  public final T fromBytes(byte[] bytes) throws IOException {
    LayoutReader in = new LayoutReader(getClass(), bytes);
    byte version = in.readByte();
    checkVersion(version);
    try {
      T value = read(version, in);
      in.expectEnd();
      return value;
    } catch (IllegalArgumentException e) {
      throw new LayoutException(
          getClass().getSimpleName() + ": invalid value: " + e.getMessage(), e);
    }
  }

  final void checkVersion(byte version) throws LayoutException {
    if (version < 1 || version > version()) {
      throw new LayoutException(
          "%s: unknown version %d, the newest is %d; restore with the build that wrote it"
              .formatted(getClass().getSimpleName(), version, version()));
    }
  }

  /**
   * Reads a length and as many bytes; memory grows with the available bytes, not with the claimed
   * length.
   */
  static byte[] readBytes(DataInputView source, String layout) throws IOException {
    int length = source.readInt();
    if (length < 1) {
      throw new LayoutException(layout + ": a value cannot have " + length + " bytes");
    }
    byte[] bytes = new byte[Math.min(length, FIRST_BYTES)];
    source.readFully(bytes);
    for (int read = bytes.length; read < length; read = bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * read));
      source.readFully(bytes, read, bytes.length - read);
    }
    return bytes;
  }

  @Override
  public final void copy(DataInputView source, DataOutputView target) throws IOException {
    byte[] bytes = readBytes(source, getClass().getSimpleName());
    target.writeInt(bytes.length);
    target.write(bytes);
  }

  @Override
  public final int getLength() {
    return -1;
  }
}
