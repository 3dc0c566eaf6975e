package io.equipoise.policy;

import io.equipoise.event.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Draws uniform numbers that belong to one decision: a pure function of (spec seed, segment,
 * decision id, purpose), so that a replay in any process draws the same.
 *
 * <p>The number is the first 53 bits of SHA-256 over seed (i64), segment and decision id (each with
 * its UTF-8 length, i32) and purpose (u8), big-endian, divided by 2^53.
 */
public final class SeededRandom {
  private static final int UNUSED_BITS = 64 - 53;
  private static final double UNIT = 0x1.0p-53;

  private final long seed;
  private final String segment;
  private final String decisionId;

  public SeededRandom(long seed, String segment, String decisionId) {
    this.seed = seed;
    this.segment = segment;
    this.decisionId = decisionId;
  }

  /** Names what a draw decides; draws of two purposes are independent. Codes never change. */
  public enum Purpose {
    TIE(0),
    EXPLORE(1),
    POSTERIOR(2),
    URN(3);

    private final byte code;

    Purpose(int code) {
      this.code = (byte) code;
    }
  }

  /** Returns the draw for a purpose, in [0, 1). */
  public double uniform(Purpose purpose) {
    byte[] segmentBytes = segment.getBytes(StandardCharsets.UTF_8);
    byte[] idBytes = decisionId.getBytes(StandardCharsets.UTF_8);
    ByteBuffer message = ByteBuffer.allocate(17 + segmentBytes.length + idBytes.length);
    message.putLong(seed);
    message.putInt(segmentBytes.length).put(segmentBytes);
    message.putInt(idBytes.length).put(idBytes);
    message.put(purpose.code);
    long bits = ByteBuffer.wrap(Sha256.of(message.array())).getLong() >>> UNUSED_BITS;
    return bits * UNIT;
  }
}
