package io.equipoise.layout;

import java.nio.ByteBuffer;

/** The bytes of stored values, for tests. */
public final class StoredBytes {
  private StoredBytes() {}

  /** Returns all bytes; the position is after them. */
  public static ByteBuffer of(Stored value) {
    byte[] bytes = value.toBytes();
    return ByteBuffer.wrap(bytes).position(bytes.length);
  }

  /**
   * Reads a value, as far as it goes, and returns it.
   *
   * @throws IllegalArgumentException if the bytes are not such a value
   */
  public static <T extends Stored> T read(T empty, ByteBuffer in) {
    try {
      new LayoutReader(empty.getClass(), in).part(empty);
      return empty;
    } catch (LayoutException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
