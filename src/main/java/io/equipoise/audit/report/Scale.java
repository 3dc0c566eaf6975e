package io.equipoise.audit.report;

import io.equipoise.event.ArmAudit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Draws intervals as lines of text of equal width.
 *
 * <pre>
 *   -0.30  .....|..(====o====).|.....  0.30
 * </pre>
 */
record Scale(double low, double high) {
  private static final int WIDTH = 49;

  /** Returns a scale that shows both bounds and most of the intervals. */
  static Scale around(double bound, double band, List<ArmAudit> arms) {
    double reach = 1.25 * bound;
    for (ArmAudit arm : arms) {
      for (Double effect : Arrays.asList(arm.forward(), arm.backward())) {
        reach = effect == null ? reach : Math.max(reach, Math.abs(effect) + band);
      }
    }
    reach = Math.min(reach, 4 * bound);
    return new Scale(-reach, reach);
  }

  /** Returns a scale that shows all rewards with their intervals, within [0, 1]. */
  static Scale ofRewards(double below, double above, List<ArmAudit> arms) {
    double low = 1;
    double high = 0;
    for (ArmAudit arm : arms) {
      Double reward = arm.reward();
      if (reward != null) {
        low = Math.min(low, reward - 2 * below);
        high = Math.max(high, reward + 2 * above);
      }
    }
    return low < high ? new Scale(Math.max(0, low), Math.min(1, high)) : new Scale(0, 1);
  }

  /** Returns both ends as a line of the same width. */
  String axis() {
    String left = String.format(Locale.ROOT, "%.3f", low);
    String right = String.format(Locale.ROOT, "%.3f", high);
    return left + " ".repeat(WIDTH - left.length() - right.length()) + right;
  }

  /**
   * Returns an interval with its center, and bars at -bound and +bound unless that is NaN. An end
   * beyond the scale is an arrow; an unknown interval is left out.
   */
  String interval(double from, double center, double to, double bound) {
    char[] line = new char[WIDTH];
    Arrays.fill(line, '.');
    if (!Double.isNaN(center)) {
      int first = place(from);
      int last = place(to);
      Arrays.fill(line, first, last + 1, '=');
      line[first] = from < low ? '<' : '(';
      line[last] = to > high ? '>' : ')';
      line[place(center)] = 'o';
    }
    if (!Double.isNaN(bound)) {
      line[place(-bound)] = '|';
      line[place(bound)] = '|';
    }
    return new String(line);
  }

  private int place(double value) {
    double share = (value - low) / (high - low);
    return (int) Math.max(0, Math.min(WIDTH - 1, Math.round(share * (WIDTH - 1))));
  }
}
