package io.equipoise.evidence;

import java.util.function.DoublePredicate;

/** The ends of an interval. */
public record Ends(double low, double high) {
  /**
   * Returns by bisection the greatest number up to which a mean is known to be above.
   *
   * @param isAbove whether it is known of a number; if so, of all smaller ones
   * @param low is returned if no greater number is known
   */
  static double lower(DoublePredicate isAbove, double low, double high, int steps) {
    if (!isAbove.test(low)) {
      return low;
    }
    if (isAbove.test(high)) {
      return high;
    }
    double above = low;
    double below = high;
    for (int step = 0; step < steps; step++) {
      double middle = (above + below) / 2;
      boolean isReached = isAbove.test(middle);
      above = isReached ? middle : above;
      below = isReached ? below : middle;
    }
    return above;
  }
}
