package io.equipoise.event;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes SHA-256. */
final class Sha256 {
  private Sha256() {}

  static byte[] of(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
