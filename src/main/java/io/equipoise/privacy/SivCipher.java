package io.equipoise.privacy;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Deterministic authenticated encryption: the SIV construction of Rogaway and Shrimpton 2006,
 * section 4, with HMAC-SHA-256 cut to 128 bits as the function and AES-256 in counter mode.
 *
 * <p>The initial value is the digest of the plaintext, so no nonce is needed: other plaintexts have
 * other initial values, and the same plaintext of the same record gives the same bytes, as a replay
 * requires. The bytes reveal only equality at one place and their padded length ({@link Padding}).
 *
 * <p>If several deployments share a key by mistake, a writer of one must not find equal bytes in
 * another. So each encrypts under its own scope, which is stored in plain.
 *
 * <pre>
 *   0 format, 1   1 scope, 8 bytes
 *   9 IV = HMAC(mac key, scope | length of place (i32) | place | padded text), 16 bytes
 *   25 padded text
 * </pre>
 *
 * <p>Not thread-safe.
 */
final class SivCipher {
  private static final byte FORMAT = 1;
  private static final int IV_BYTES = 16;
  private static final int HEADER_BYTES = 1 + RedactionKey.SCOPE_BYTES + IV_BYTES;

  private final Mac mac;
  private final SecretKeySpec key;
  private final Cipher cipher;

  SivCipher(DerivedKeys keys) {
    mac = DerivedKeys.mac(keys.of("seal mac"));
    key = new SecretKeySpec(keys.of("seal cipher"), "AES");
    try {
      cipher = Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES in counter mode", e);
    }
  }

  /**
   * Encrypts a text.
   *
   * @param scope of the deployment
   * @param room padded length in bytes
   */
  byte[] close(byte[] scope, byte[] place, byte[] text, int room) {
    byte[] padded = Padding.pad(text, room);
    byte[] iv = iv(scope, place, padded);
    return ByteBuffer.allocate(HEADER_BYTES + room)
        .put(FORMAT)
        .put(scope)
        .put(iv)
        .put(crypt(Cipher.ENCRYPT_MODE, iv, padded, 0))
        .array();
  }

  /** Decrypts a text; returns null if these bytes were not made for this place. */
  byte @Nullable [] open(byte[] place, byte[] sealed) {
    if (sealed.length < HEADER_BYTES || sealed[0] != FORMAT) {
      return null;
    }
    byte[] scope = Arrays.copyOfRange(sealed, 1, 1 + RedactionKey.SCOPE_BYTES);
    byte[] iv = Arrays.copyOfRange(sealed, 1 + RedactionKey.SCOPE_BYTES, HEADER_BYTES);
    byte[] padded = crypt(Cipher.DECRYPT_MODE, iv, sealed, HEADER_BYTES);
    return MessageDigest.isEqual(iv, iv(scope, place, padded)) ? Padding.strip(padded) : null;
  }

  private byte[] iv(byte[] scope, byte[] place, byte[] padded) {
    mac.update(scope);
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(place.length).array());
    mac.update(place);
    return Arrays.copyOf(mac.doFinal(padded), IV_BYTES);
  }

  private byte[] crypt(int mode, byte[] iv, byte[] bytes, int from) {
    try {
      cipher.init(mode, key, new IvParameterSpec(iv));
      return cipher.doFinal(bytes, from, bytes.length - from);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("counter mode accepts any bytes", e);
    }
  }
}
