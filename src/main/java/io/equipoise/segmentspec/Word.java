package io.equipoise.segmentspec;

import java.util.Locale;

/**
 * Names a constant of an enum in specs by a word: the constant's name in lower case, with {@code -}
 * between its parts. Specs, logs and state contain the word, so a constant keeps its name.
 */
public interface Word {
  String name();

  default String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
