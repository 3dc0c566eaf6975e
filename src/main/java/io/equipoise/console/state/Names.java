package io.equipoise.console.state;

import io.equipoise.event.Sha256;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Limits the length of names and texts that come from topics. */
public final class Names {
  /** Longest name that is kept whole, in characters. */
  public static final int LONGEST_NAME = 256;

  /** Longest text, in characters. */
  public static final int LONGEST_TEXT = 2_000;

  private static final int HASH_DIGITS = 8;

  private Names() {}

  /** Returns a name, or its beginning with a hash of the whole, so that names stay different. */
  public static String cut(String name) {
    if (name.length() <= LONGEST_NAME) {
      return name;
    }
    String hash = Sha256.hex(name.getBytes(StandardCharsets.UTF_8)).substring(0, HASH_DIGITS);
    return start(name, LONGEST_NAME - HASH_DIGITS - 2) + "… " + hash;
  }

  /** As {@link #cut}, of a name that may be missing. */
  public static @Nullable String cutOrNull(@Nullable String name) {
    return name == null ? null : cut(name);
  }

  /** Returns a text or its beginning. */
  public static String text(String text) {
    return text.length() <= LONGEST_TEXT ? text : start(text, LONGEST_TEXT - 1) + "…";
  }

  /** Does not divide a surrogate pair. */
  private static String start(String text, int length) {
    boolean divides = Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, divides ? length - 1 : length);
  }
}
