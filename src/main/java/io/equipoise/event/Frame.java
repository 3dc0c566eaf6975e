package io.equipoise.event;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads and writes the header of Avro's single-object encoding.
 *
 * <pre>
 *   0 C3 01   2 CRC-64-AVRO fingerprint of the writer's schema, little-endian   10 body
 * </pre>
 */
final class Frame {
  static final int HEADER_BYTES = 10;
  private static final int MARKER_BYTES = 2;
  private static final byte MARKER_0 = (byte) 0xC3;
  private static final byte MARKER_1 = 0x01;

  private Frame() {}

  /** Returns whether the bytes start with the marker and are long enough for a fingerprint. */
  static boolean isFramed(byte[] bytes) {
    return bytes.length >= HEADER_BYTES && bytes[0] == MARKER_0 && bytes[1] == MARKER_1;
  }

  /** Returns the fingerprint; the bytes must be framed. */
  static long fingerprint(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(MARKER_BYTES);
  }

  /** Returns the header that precedes a body. */
  static byte[] header(long fingerprint) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return header.put(MARKER_0).put(MARKER_1).putLong(fingerprint).array();
  }
}
