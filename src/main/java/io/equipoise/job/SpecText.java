package io.equipoise.job;

import org.jspecify.annotations.Nullable;

/**
 * A spec's text on its way to every subtask, or its retirement.
 *
 * @param key the record's key on the specs topic: spec name, a slash, and the text's hash
 * @param text the self-contained text, null to retire it
 */
public record SpecText(String key, @Nullable String text) {

  /** Returns the key that a spec is published under. */
  static String keyOf(String name, String hash) {
    return name + "/" + hash;
  }
}
