package io.equipoise.event;

import java.util.regex.Pattern;

/** Reads the numbers of text files: {@code -1}, {@code 0.5}, {@code 2e-3}. */
public final class Decimal {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  private static final Pattern NOTHING = Pattern.compile("[-+]?[0.]+([eE].*)?");

  private Decimal() {}

  /**
   * Returns the number; NaN for every other text, also for what only Java writes as a number, such
   * as {@code NaN}, {@code Infinity}, {@code 1d} and {@code 0x1p3}, and for numbers beyond a
   * double: too large, or so small that it would be 0.
   */
  public static double of(String text) {
    double number = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    boolean isLost = number == 0 && !NOTHING.matcher(text).matches();
    return Double.isFinite(number) && !isLost ? number : Double.NaN;
  }
}
