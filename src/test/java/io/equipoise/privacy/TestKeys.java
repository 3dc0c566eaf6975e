package io.equipoise.privacy;

import java.util.Arrays;

/** Keys that tests share. */
public final class TestKeys {
  private TestKeys() {}

  /** Returns a key of 32 equal bytes. */
  public static RedactionKey of(int fill) {
    return RedactionKey.of(secret(fill), "a key of tests");
  }

  static byte[] secret(int fill) {
    byte[] secret = new byte[RedactionKey.LEAST_BYTES];
    Arrays.fill(secret, (byte) fill);
    return secret;
  }
}
