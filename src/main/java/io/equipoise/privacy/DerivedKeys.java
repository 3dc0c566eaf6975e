package io.equipoise.privacy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Derives keys of 32 bytes, one per purpose, from one secret: HKDF with SHA-256 (RFC 5869). */
final class DerivedKeys {
  static final String HMAC = "HmacSHA256";

  private static final byte[] SALT =
      "equipoise sensitive values 1".getBytes(StandardCharsets.US_ASCII);

  private final byte[] pseudorandom;

  /** Section 2.2, extract: PRK = HMAC(salt, secret). */
  DerivedKeys(byte[] secret) {
    pseudorandom = mac(SALT).doFinal(secret);
  }

  /** Section 2.3, expand; the first block suffices: T(1) = HMAC(PRK, info | 0x01). */
  byte[] of(String purpose) {
    Mac mac = mac(pseudorandom);
    mac.update(purpose.getBytes(StandardCharsets.US_ASCII));
    mac.update((byte) 1);
    return mac.doFinal();
  }

  static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + HMAC, e);
    }
  }
}
