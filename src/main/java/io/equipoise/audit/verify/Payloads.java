package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Computes 64-bit digests of record contents. Only digests of one origin are compared, so a
 * difference is missed with a probability of 2^-64.
 */
final class Payloads {
  private static final byte[] NONE = new byte[0];

  private Payloads() {}

  /** Returns a record's value; an empty array for null. */
  static byte[] value(LogRecord record) {
    byte[] value = record.value();
    return value == null ? NONE : value;
  }

  /** Digests a key and a value; null and empty differ. */
  static long digest(byte @Nullable [] key, byte @Nullable [] value) {
    int keyBytes = key == null ? 0 : key.length;
    int valueBytes = value == null ? 0 : value.length;
    ByteBuffer all = ByteBuffer.allocate(2 * Integer.BYTES + keyBytes + valueBytes);
    all.putInt(key == null ? -1 : keyBytes).putInt(value == null ? -1 : valueBytes);
    all.put(key == null ? NONE : key).put(value == null ? NONE : value);
    return ByteBuffer.wrap(Sha256.of(all.array())).getLong();
  }

  /** Digests the identity and the values of an event. */
  static long digest(String segment, String id, @Nullable String other, long time, long bits) {
    byte[] texts =
        (segment.length() + ":" + segment + id.length() + ":" + id + other)
            .getBytes(StandardCharsets.UTF_8);
    ByteBuffer all = ByteBuffer.allocate(2 * Long.BYTES + texts.length);
    all.putLong(time).putLong(bits).put(texts);
    return ByteBuffer.wrap(Sha256.of(all.array())).getLong();
  }
}
