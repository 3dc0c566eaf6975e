package io.equipoise.tools.specs;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the lines that were removed and added between two texts, by a longest common subsequence.
 */
final class LineDiff {
  /** Cells of the table; larger changes are shown as one block. */
  private static final long MOST_CELLS = 1L << 24;

  private static final int CONTEXT = 2;

  private LineDiff() {}

  /**
   * Returns changed lines, with {@code "- "} or {@code "+ "} before them, and two lines around each
   * change, with {@code " "}. Left-out lines are {@code "..."}.
   */
  static List<String> of(String before, String after) {
    List<String> all = all(before.lines().toList(), after.lines().toList());
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      int from = Math.max(0, i - CONTEXT);
      int to = Math.min(all.size(), i + CONTEXT + 1);
      if (all.subList(from, to).stream().anyMatch(line -> !line.startsWith("  "))) {
        shown.add(all.get(i));
      } else if (shown.isEmpty() || !shown.get(shown.size() - 1).equals("...")) {
        shown.add("...");
      }
    }
    return shown;
  }

  private static List<String> all(List<String> before, List<String> after) {
    List<String> lines = new ArrayList<>();
    if ((long) before.size() * after.size() > MOST_CELLS) {
      before.forEach(line -> lines.add("- " + line));
      after.forEach(line -> lines.add("+ " + line));
      return lines;
    }
    int[][] common = common(before, after);
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
        lines.add("  " + before.get(i++));
        j++;
      } else if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
        lines.add("- " + before.get(i++));
      } else {
        lines.add("+ " + after.get(j++));
      }
    }
    return lines;
  }

  /** Returns the length of the longest common subsequence of the rests from each line on. */
  private static int[][] common(List<String> before, List<String> after) {
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }
}
