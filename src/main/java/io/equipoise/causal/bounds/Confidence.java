package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.CellRule;

/**
 * Whether bounds allow for the rows being a sample.
 *
 * @param delta the chance, over all arms and contexts together, that an end of any probability is
 *     wrong; 0 takes shares for probabilities
 */
public record Confidence(double delta) {
  /** What is customary: at once for the whole table at 95 %. */
  public static final Confidence DEFAULT = new Confidence(0.05);

  /** Shares are taken for probabilities: right for exact tables, too narrow for samples. */
  public static final Confidence NONE = new Confidence(0);

  public Confidence {
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta is " + delta + ", must be from 0 to below 1");
    }
  }

  public boolean isCorrected() {
    return delta > 0;
  }

  /** Returns the rule for a table of bounds that uses so many distinct cells (Bonferroni). */
  CellRule rule(int cells, CellRules rules) {
    return rules.at(isCorrected() ? delta / Math.max(1, cells) : 0);
  }
}
