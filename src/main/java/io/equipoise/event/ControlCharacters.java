package io.equipoise.event;

/**
 * Characters that are not shown but change what is: of C0 and C1 (escape sequences and line ends
 * among them), line and paragraph separators, and those that turn the direction of text.
 */
public final class ControlCharacters {
  private ControlCharacters() {}

  /** Says whether a text has one. */
  public static boolean areIn(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isOne(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  /** Says whether a character is one. */
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
