package io.equipoise.hostile;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Spoils valid texts: ends cut off, runs lost, doubled or swapped between texts, signs of the
 * syntax where none belongs, brackets without end, numbers beyond all bounds.
 */
public final class TextDamage implements Campaign.Damage<String> {
  private static final int MOST_DAMAGES = 4;
  private static final int LONGEST_RUN = 40;
  private static final int MOST_NESTED = 20_000;
  private static final int MOST_CHARS = 1 << 17;
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "1e999",
          "-1e999",
          "1e-999",
          "NaN",
          ".nan",
          ".inf",
          "Infinity",
          "0x1p9999",
          "2147483648",
          "-9223372036854775809",
          "1_000",
          "007",
          "0.1.2",
          "9".repeat(400),
          "0." + "3".repeat(400));
  private static final String SIGNS =
      "{}[]()<>:;,-+#&*!|'\"%@`?=/\\._^$\n\r\t \u0000\uFEFF\u2028\uD83D\uDE00\u0085\u00e9";

  private final List<String> samples;
  private final List<String> openings;

  /**
   * @param samples valid texts
   * @param openings what nests in this syntax
   */
  public TextDamage(List<String> samples, List<String> openings) {
    this.samples = samples;
    this.openings = openings;
  }

  @Override
  public String next(SplittableRandom random) {
    StringBuilder text = new StringBuilder(pick(samples, random));
    for (int left = random.nextInt(MOST_DAMAGES + 1); left > 0 && text.length() > 0; left--) {
      damage(text, random);
    }
    text.setLength(Math.min(text.length(), MOST_CHARS));
    return text.toString();
  }

  private void damage(StringBuilder text, SplittableRandom random) {
    int at = random.nextInt(text.length());
    int to = Math.min(text.length(), at + 1 + random.nextInt(LONGEST_RUN));
    switch (random.nextInt(10)) {
      case 0 -> text.setLength(at);
      case 1 -> text.delete(at, to);
      case 2 -> text.insert(at, SIGNS.charAt(random.nextInt(SIGNS.length())));
      case 3 -> text.setCharAt(at, SIGNS.charAt(random.nextInt(SIGNS.length())));
      case 4 -> text.insert(at, text.substring(at, to).repeat(1 + random.nextInt(20)));
      case 5 -> text.insert(at, run(pick(samples, random), random));
      case 6 -> text.replace(at, text.length(), tail(pick(samples, random), random));
      case 7 -> replaceNumber(text, at, random);
      case 8 -> nest(text, at, random);
      default -> text.setCharAt(at, (char) (text.charAt(at) ^ (1 << random.nextInt(7))));
    }
  }

  /** Replaces the first digits behind a place, or stands where there are none. */
  private static void replaceNumber(StringBuilder text, int from, SplittableRandom random) {
    int at = from;
    while (at < text.length() && !Character.isDigit(text.charAt(at))) {
      at++;
    }
    int to = at;
    while (to < text.length() && (Character.isDigit(text.charAt(to)) || text.charAt(to) == '.')) {
      to++;
    }
    text.replace(at, to, NUMBERS.get(random.nextInt(NUMBERS.size())));
  }

  private void nest(StringBuilder text, int at, SplittableRandom random) {
    String opening = pick(openings, random);
    int most = random.nextInt(50) == 0 ? MOST_NESTED : LONGEST_RUN;
    text.insert(at, opening.repeat(1 + random.nextInt(most)));
  }

  private static String run(String other, SplittableRandom random) {
    int at = random.nextInt(other.length());
    return other.substring(at, Math.min(other.length(), at + 1 + random.nextInt(LONGEST_RUN)));
  }

  private static String tail(String other, SplittableRandom random) {
    return other.substring(random.nextInt(other.length()));
  }

  private static String pick(List<String> from, SplittableRandom random) {
    return from.get(random.nextInt(from.size()));
  }
}
