package io.equipoise.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Represents a decision id in state: the first 16 bytes of SHA-256 of its UTF-8, big-endian. Two of
 * a billion ids have the same hash with a probability of about 1e-21.
 */
public record IdHash(long high, long low) {
  /** Hashes an id. */
  public static IdHash of(String id) {
    ByteBuffer hash = ByteBuffer.wrap(Sha256.of(id.getBytes(StandardCharsets.UTF_8)));
    return new IdHash(hash.getLong(), hash.getLong());
  }

  /**
   * Parses the result of {@link #hex}.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  public static IdHash ofHex(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    if (bytes.length != 2 * Long.BYTES) {
      throw new IllegalArgumentException("a hash has 16 bytes, not " + bytes.length);
    }
    ByteBuffer hash = ByteBuffer.wrap(bytes);
    return new IdHash(hash.getLong(), hash.getLong());
  }

  // The method that the compiler generates is slow, and every access to state calls it.
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IdHash hash && high == hash.high && low == hash.low;
  }

  /** Returns 32 bits of the hash. */
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
