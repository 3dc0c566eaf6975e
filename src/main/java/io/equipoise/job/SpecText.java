package io.equipoise.job;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A spec's text on its way to every subtask, or its retirement.
 *
 * @param key the record's key on the specs topic: spec name, a slash, and the text's hash
 * @param text the self-contained text, null to retire it
 */
public record SpecText(String key, @Nullable String text) {

  private static final Pattern KEY = Pattern.compile(".+/[0-9a-f]{64}", Pattern.DOTALL);

  /** Returns whether a text has the form of a key. */
  static boolean isKey(String text) {
    return KEY.matcher(text).matches();
  }

  /** Returns the key that a spec is published under. */
  static String keyOf(String name, String hash) {
    return name + "/" + hash;
  }
}
