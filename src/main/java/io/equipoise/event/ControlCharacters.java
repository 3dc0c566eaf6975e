package io.equipoise.event;

/**
 * Finds invisible characters that alter the display of text: C0 and C1 controls (with escape
 * sequences and line ends), line and paragraph separators, and bidirectional controls.
 */
public final class ControlCharacters {
  private ControlCharacters() {}

  /** Returns whether a text contains one. */
  public static boolean areIn(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isOne(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  /** Returns a text as part of one line: escapes them like JSON, {@code \\u001b}. */
  public static String escaped(String text) {
    if (!areIn(text)) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length());
    text.chars().forEach(c -> append(line, (char) c));
    return line.toString();
  }

  /** Appends a character, or its escape sequence if it is one of these. */
  public static void append(StringBuilder to, char c) {
    if (isOne(c)) {
      to.append("\\u").append(String.format("%04x", (int) c));
    } else {
      to.append(c);
    }
  }

  /** Returns whether a character is one of these. */
  public static boolean isOne(char c) {
    return c < ' '
        || (c >= 0x7F && c <= 0x9F)
        || c == 0x061C
        || c == 0x200E
        || c == 0x200F
        || (c >= 0x2028 && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x2069);
  }
}
