package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Truncation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Recognizes dead letters that did not fit their topic and contain the first bytes only. */
final class TruncatedDeadLetter {
  private static final byte[] NONE = new byte[0];

  private TruncatedDeadLetter() {}

  /** Says whether a dead letter contains a record cut short, and names its sizes. */
  static boolean isOf(DeadLetter letter, @Nullable LogRecord origin) {
    return origin != null && isOf(letter, origin.key(), origin.value());
  }

  /** Says whether a dead letter contains these bytes cut short, and names their sizes. */
  static boolean isOf(
      DeadLetter letter, byte @Nullable [] originKey, byte @Nullable [] originValue) {
    byte[] key = bytes(originKey);
    byte[] value = bytes(originValue);
    return new Truncation(key.length, value.length).equals(letter.truncated())
        && isBeginning(bytes(letter.key()), key)
        && isBeginning(bytes(letter.value()), value);
  }

  private static boolean isBeginning(byte[] some, byte[] all) {
    return some.length <= all.length && Arrays.equals(some, 0, some.length, all, 0, some.length);
  }

  private static byte[] bytes(byte @Nullable [] bytes) {
    return bytes == null ? NONE : bytes;
  }
}
