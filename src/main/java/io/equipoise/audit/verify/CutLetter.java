package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Knows dead letters that did not fit their topic: they hold the first bytes and say how many. */
final class CutLetter {
  private static final byte[] NONE = new byte[0];
  private static final Pattern CONFESSION =
      Pattern.compile("Cut here: the key had \\d+ bytes and the value \\d+\\.$");

  private static final String CUT = "...";

  /** No shorter message is cut. */
  private static final int LONG_MESSAGE_CHARS = 4 << 10;

  private CutLetter() {}

  /** Says whether a letter says that it is cut short. */
  static boolean isCut(DeadLetter letter) {
    return CONFESSION.matcher(letter.message()).find();
  }

  /** Says whether a letter's message is a sentence, which may have been cut, as it says then. */
  static boolean says(DeadLetter letter, String sentence) {
    String told = CONFESSION.matcher(letter.message()).replaceFirst("").stripTrailing();
    return told.equals(sentence.stripTrailing())
        || (isCut(letter)
            && told.length() > LONG_MESSAGE_CHARS
            && told.endsWith(CUT)
            && sentence.startsWith(told.substring(0, told.length() - CUT.length())));
  }

  /** Says whether a letter is a record cut short, and says so. */
  static boolean isOf(DeadLetter letter, @Nullable LogRecord origin) {
    return origin != null && isOf(letter, origin.key(), origin.value());
  }

  /** Says whether a letter is these bytes cut short, and says so. */
  static boolean isOf(
      DeadLetter letter, byte @Nullable [] originKey, byte @Nullable [] originValue) {
    byte[] key = bytes(originKey);
    byte[] value = bytes(originValue);
    String confession =
        "Cut here: the key had %d bytes and the value %d.".formatted(key.length, value.length);
    return letter.message().endsWith(confession)
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
