package io.equipoise.event;

/**
 * Checks that bytes are UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF), and
 * that texts have a form in it. Java's encoder would replace an unpaired surrogate, so that several
 * ids became one.
 */
public final class Utf8Text {
  private Utf8Text() {}

  /** Returns the position of the first unpaired surrogate, or -1 if there is none. */
  public static int unpairedSurrogate(String text) {
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (Character.isSurrogate(c)) {
        boolean isPair =
            Character.isHighSurrogate(c)
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
        if (!isPair) {
          return at;
        }
        at++;
      }
    }
    return -1;
  }

  /**
   * Returns the position of the first byte of the first invalid sequence, or -1 if there is none.
   */
  public static int firstFault(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      int length = sequenceLength(bytes, at, to);
      if (length == 0) {
        return at;
      }
      at += length;
    }
    return -1;
  }

  /** Returns the length of the valid sequence at a position in bytes, or 0 if it is invalid. */
  private static int sequenceLength(byte[] bytes, int at, int to) {
    int lead = bytes[at] & 0xFF;
    if (lead < 0x80) {
      return 1;
    }
    int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || to - at < length || !isSecond(lead, bytes[at + 1] & 0xFF)) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  private static boolean isSecond(int lead, int second) {
    int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int greatest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= least && second <= greatest;
  }
}
