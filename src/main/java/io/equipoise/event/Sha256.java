package io.equipoise.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Computes SHA-256, the one digest of this project: of spec texts, ids, contents, draws, states.
 */
public final class Sha256 {
  /** Bytes of a digest that {@link #hex} shows. */
  public static final int HEX_BYTES = 16;

  /** Finding an implementation costs as much as a short digest; reset by every digest. */
  private static final ThreadLocal<MessageDigest> DIGESTS = ThreadLocal.withInitial(Sha256::begin);

  private Sha256() {}

  /** Returns the 32 bytes of a digest. */
  public static byte[] of(byte[] bytes) {
    return DIGESTS.get().digest(bytes);
  }

  /** Returns the 32 bytes of a digest of the first bytes of an array. */
  public static byte[] of(byte[] bytes, int length) {
    MessageDigest digest = DIGESTS.get();
    digest.update(bytes, 0, length);
    return digest.digest();
  }

  /** Returns the first 64 bits of a text's digest. */
  public static long longOf(String text) {
    return ByteBuffer.wrap(of(text.getBytes(StandardCharsets.UTF_8))).getLong();
  }

  /** Returns the first 128 bits of a digest as 32 lower-case hexadecimal digits. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes), 0, HEX_BYTES);
  }

  /** Begins a digest to be fed piece by piece. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
