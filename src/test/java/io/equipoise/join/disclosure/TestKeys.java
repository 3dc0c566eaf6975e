package io.equipoise.join.disclosure;

import java.util.Arrays;

/** Keys that tests share. */
public final class TestKeys {
  private TestKeys() {}

  /** Returns a key of 32 equal bytes. */
  public static DisclosureKey of(int fill) {
    return DisclosureKey.of(secret(fill), "a key of tests");
  }

  static byte[] secret(int fill) {
    byte[] secret = new byte[DisclosureKey.LEAST_BYTES];
    Arrays.fill(secret, (byte) fill);
    return secret;
  }
}
