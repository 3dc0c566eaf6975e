package io.equipoise.privacy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.crypto.IllegalBlockSizeException;
import org.cryptomator.siv.SivMode;
import org.cryptomator.siv.UnauthenticCiphertextException;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts texts deterministically and authenticates them: AES-256 in SIV mode, RFC 5297.
 *
 * <p>The initial value is a digest of the plaintext, so no nonce is needed: other plaintexts have
 * other initial values, and the same plaintext of the same record gives the same bytes, as a replay
 * requires. The bytes reveal only equality at one place and their padded length ({@link Padding}).
 *
 * <p>If several deployments share a key by mistake, a writer of one must not find equal bytes in
 * another. So each encrypts under its own scope, which is stored in plain.
 *
 * <pre>
 *   0 format, 1   1 scope, 8 bytes
 *   9 initial value, 16 bytes, and padded text, with scope and place as associated data
 * </pre>
 */
final class SivCipher {
  private static final byte FORMAT = 1;
  private static final int TEXT = 1 + RedactionKey.SCOPE_BYTES;
  private static final int IV_BYTES = 16;

  private final SivMode siv = new SivMode();
  private final byte[] macKey;
  private final byte[] cipherKey;

  SivCipher(DerivedKeys keys) {
    macKey = keys.of("seal mac");
    cipherKey = keys.of("seal cipher");
  }

  /**
   * Encrypts a text.
   *
   * @param scope of the deployment
   * @param room padded length in bytes
   */
  byte[] close(byte[] scope, byte[] place, byte[] text, int room) {
    byte[] sealed = siv.encrypt(cipherKey, macKey, Padding.pad(text, room), scope, place);
    return ByteBuffer.allocate(TEXT + sealed.length).put(FORMAT).put(scope).put(sealed).array();
  }

  /** Decrypts a text; returns null if these bytes were not made for this place. */
  byte @Nullable [] open(byte[] place, byte[] sealed) {
    if (sealed.length < TEXT + IV_BYTES || sealed[0] != FORMAT) {
      return null;
    }
    byte[] scope = Arrays.copyOfRange(sealed, 1, TEXT);
    byte[] text = Arrays.copyOfRange(sealed, TEXT, sealed.length);
    try {
      return Padding.strip(siv.decrypt(cipherKey, macKey, text, scope, place));
    } catch (UnauthenticCiphertextException | IllegalBlockSizeException e) {
      return null;
    }
  }
}
