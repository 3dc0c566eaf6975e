package io.equipoise.offline.count;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The levels of a variable as bytes, searched linearly, because there are few. */
final class Dictionary {
  private static final byte[] NOTHING = {};

  private final byte[][] texts;

  Dictionary(CountedVariable variable) {
    texts = new byte[variable.size()][];
    for (int level = 0; level < texts.length; level++) {
      String text = variable.levels().get(level);
      boolean isItself = variable.level(text) == level;
      texts[level] = isItself ? text.getBytes(StandardCharsets.UTF_8) : NOTHING;
    }
  }

  /** Returns the level with these bytes, or -1. */
  int level(byte[] bytes, int from, int to) {
    for (int level = 0; level < texts.length; level++) {
      byte[] text = texts[level];
      if (text.length == to - from
          && to > from
          && Arrays.equals(text, 0, text.length, bytes, from, to)) {
        return level;
      }
    }
    return -1;
  }
}
