package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Truncation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks dead letters that exceeded the record size and contain only the first bytes of their
 * input.
 */
final class TruncatedDeadLetter {
  private static final byte[] NONE = new byte[0];

  private TruncatedDeadLetter() {}

  /** Returns whether a dead letter contains the beginning of a record, and its sizes. */
  static boolean isOf(DeadLetter deadLetter, @Nullable LogRecord origin) {
    return origin != null && isOf(deadLetter, origin.key(), origin.value());
  }

  /** Returns whether a dead letter contains the beginning of these bytes, and their sizes. */
  static boolean isOf(
      DeadLetter deadLetter, byte @Nullable [] originKey, byte @Nullable [] originValue) {
    byte[] key = bytes(originKey);
    byte[] value = bytes(originValue);
    return new Truncation(key.length, value.length).equals(deadLetter.input().truncated())
        && isBeginning(bytes(deadLetter.input().key()), key)
        && isBeginning(bytes(deadLetter.input().value()), value);
  }

  private static boolean isBeginning(byte[] some, byte[] all) {
    return some.length <= all.length && Arrays.equals(some, 0, some.length, all, 0, some.length);
  }

  private static byte[] bytes(byte @Nullable [] bytes) {
    return bytes == null ? NONE : bytes;
  }
}
