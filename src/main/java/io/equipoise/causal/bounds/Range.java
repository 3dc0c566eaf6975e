package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.Estimate;

/**
 * An intermediate bound.
 *
 * @param rows the smallest number of rows of any part
 * @param spread the largest spread of any part
 * @param isSupported false if a part had no rows
 */
record Range(double low, double high, double rows, double spread, boolean isSupported) {
  static final Range VACUOUS = new Range(0, 1, Double.POSITIVE_INFINITY, 0, true);
  static final Range UNSUPPORTED = new Range(0, 1, 0, 0, false);

  static Range of(Estimate estimate, double spread) {
    if (!estimate.isSupported()) {
      return UNSUPPORTED;
    }
    Estimate within = estimate.clipped();
    return new Range(within.low(), within.high(), within.support(), spread, within.support() > 0);
  }

  /** Returns other ends, with the support and spread of both. */
  Range with(double otherLow, double otherHigh, Range known) {
    return new Range(
        otherLow,
        otherHigh,
        Math.min(rows, known.rows),
        Math.max(spread, known.spread),
        isSupported && known.isSupported);
  }
}
