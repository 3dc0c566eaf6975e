package io.equipoise.segmentspec;

import java.util.Collection;
import java.util.List;

/** Finds the word that was probably meant. */
public final class Nearest {
  private static final int MAX_LENGTH = 64;

  /** Enough for the policies. */
  private static final int MAX_LISTED = 32;

  private Nearest() {}

  /**
   * Returns {@code "one of a, b, c"}, led by {@code "did you mean b? "} where one word is close; or
   * that nothing is allowed.
   */
  public static String oneOf(String given, Collection<String> allowed) {
    if (allowed.isEmpty()) {
      return "nothing, because the spec declares none that fits";
    }
    List<String> listed = allowed.stream().limit(MAX_LISTED).toList();
    String more = allowed.size() > listed.size() ? ", …" : "";
    return suggestion(given, allowed) + "one of " + String.join(", ", listed) + more;
  }

  /** Returns {@code "A has one of a, b, c"}, led by a suggestion. */
  public static String levelOf(String variable, String given, Collection<String> levels) {
    return suggestion(given, levels) + variable + " has " + oneOf("", levels);
  }

  /** Returns {@code "did you mean b? "}, or nothing if no word is close. */
  public static String suggestion(String given, Collection<String> allowed) {
    String best = "";
    int least = Math.max(2, given.length() / 3) + 1;
    for (String word : allowed) {
      int distance = distance(given, word);
      if (distance < least && distance < word.length()) {
        least = distance;
        best = word;
      }
    }
    return best.isEmpty() ? "" : "did you mean " + best + "? ";
  }

  /** Levenshtein's distance; words of more than 64 characters are far from everything. */
  private static int distance(String a, String b) {
    if (a.length() > MAX_LENGTH || b.length() > MAX_LENGTH) {
      return Integer.MAX_VALUE;
    }
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(previous[j], row[j - 1]) + 1);
      }
      previous = row;
    }
    return previous[b.length()];
  }
}
