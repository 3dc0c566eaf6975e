package io.equipoise.policy.logistic;

/**
 * Measures the data in an effect's direction c, the effect's gradient
 * (docs/math/logistic.md#coverage).
 *
 * @param leverage c' H^-1 c, the unscaled variance of the estimated effect; times the number of
 *     rewards it levels off where data cover the direction, and grows where not
 * @param unsupportedShare lambda |H^-1 c|^2 / leverage, in [0, 1]: the share of that variance which
 *     comes from the prior alone; 1 before any data, 0 where the effect does not depend on the
 *     parameter
 */
public record Overlap(double leverage, double unsupportedShare) {
  /** Of an effect of which the features tell nothing, whatever data there are. */
  static final Overlap NONE = new Overlap(Double.POSITIVE_INFINITY, 1);
}
