package io.equipoise.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Collects bytes to digest, big-endian, in a growing buffer. One per thread, to avoid a lock. */
final class DigestInput {
  private static final int TYPICAL_BYTES = 512;

  /** A larger buffer is not reused. */
  private static final int KEPT_BYTES = 1 << 16;

  private static final ThreadLocal<DigestInput> OWN = ThreadLocal.withInitial(DigestInput::new);

  private ByteBuffer bytes = ByteBuffer.allocate(TYPICAL_BYTES);

  /** Returns this thread's instance, empty. */
  static DigestInput begin() {
    DigestInput own = OWN.get();
    if (own.bytes.capacity() > KEPT_BYTES) {
      own.bytes = ByteBuffer.allocate(TYPICAL_BYTES);
    }
    own.bytes.clear();
    return own;
  }

  void put(char tag) {
    reserve(1).put((byte) tag);
  }

  void put(boolean truth) {
    reserve(1).put((byte) (truth ? 1 : 0));
  }

  void put(int value) {
    reserve(Integer.BYTES).putInt(value);
  }

  void put(long value) {
    reserve(Long.BYTES).putLong(value);
  }

  /** Puts a double; all NaNs are equal. */
  void put(double value) {
    put(Double.doubleToLongBits(value));
  }

  /** Puts the number of bytes (i32) and the UTF-8 bytes. */
  void put(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    put(utf8.length);
    reserve(utf8.length).put(utf8);
  }

  /** Returns the first 8 bytes of the SHA-256. */
  long digest() {
    return ByteBuffer.wrap(Sha256.of(bytes.array(), bytes.position())).getLong();
  }

  private ByteBuffer reserve(int more) {
    if (more > bytes.remaining()) {
      int least = Math.addExact(bytes.position(), more);
      bytes = ByteBuffer.allocate(Math.max(least, 2 * bytes.capacity())).put(bytes.flip());
    }
    return bytes;
  }
}
