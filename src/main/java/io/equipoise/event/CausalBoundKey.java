package io.equipoise.event;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies a row on the causal-bounds topic: {@code NAME@HASH/ARM/CONTEXT}, with the context as
 * {@code X=low,Z=1} in the order of its names. Separators within an arm, a name or a level are
 * escaped as {@code %XX}, so every row has its own key.
 *
 * @param set name and hash of the row's set, {@code NAME@HASH}
 * @param row arm and context; unique within a set
 */
public record CausalBoundKey(String set, String row) implements Comparable<CausalBoundKey> {
  private static final Pattern TEXT =
      Pattern.compile(
          "([A-Za-z0-9][A-Za-z0-9._-]{0,127}@[0-9a-f]{32})/([^/]+/[^/]*)", Pattern.DOTALL);

  /** Returns the key of a row. */
  public static CausalBoundKey of(CausalBound bound) {
    StringBuilder row = new StringBuilder();
    append(row, bound.arm(), "%/").append('/');
    boolean isFirst = true;
    for (Map.Entry<String, String> level : bound.context().entrySet()) {
      append(row.append(isFirst ? "" : ","), level.getKey(), "%/,=");
      append(row.append('='), level.getValue(), "%/,=");
      isFirst = false;
    }
    return new CausalBoundKey(setOf(bound.set().name(), bound.set().hash()), row.toString());
  }

  /** Returns the part of the key that all rows of a set share. */
  public static String setOf(String name, String hash) {
    return name + "@" + hash;
  }

  /** Parses a key; returns nothing if the text is not a key. */
  public static Optional<CausalBoundKey> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? Optional.of(new CausalBoundKey(matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  /** Returns the key as text. */
  public String text() {
    return set + "/" + row;
  }

  /** Returns the UTF-8 of {@link #text}. */
  public byte[] bytes() {
    return text().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public int compareTo(CausalBoundKey other) {
    int bySet = set.compareTo(other.set);
    return bySet != 0 ? bySet : row.compareTo(other.row);
  }

  private static StringBuilder append(StringBuilder key, String text, String separators) {
    for (int i = 0; i < text.length(); i++) {
      char sign = text.charAt(i);
      if (separators.indexOf(sign) >= 0) {
        key.append('%').append(Integer.toHexString(sign)); // all of them have two digits
      } else {
        key.append(sign);
      }
    }
    return key;
  }
}
