package io.equipoise.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Stands for a decision id in state: the first 16 bytes of SHA-256 of its UTF-8, big-endian. Among
 * a billion ids two share a hash with a probability of about 1e-21.
 */
public record IdHash(long high, long low) {
  /** Hashes an id. */
  public static IdHash of(String id) {
    ByteBuffer hash = ByteBuffer.wrap(Sha256.of(id.getBytes(StandardCharsets.UTF_8)));
    return new IdHash(hash.getLong(), hash.getLong());
  }

  /**
   * Reads what {@link #hex} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static IdHash ofHex(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    if (bytes.length != 2 * Long.BYTES) {
      throw new IllegalArgumentException("a hash of " + bytes.length + " bytes");
    }
    ByteBuffer hash = ByteBuffer.wrap(bytes);
    return new IdHash(hash.getLong(), hash.getLong());
  }

  /** Returns 32 bits of the hash, which are as good as any. */
  @Override
  public int hashCode() {
    return (int) high;
  }

  /** Returns 32 lower-case hexadecimal digits. */
  public String hex() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }
}
