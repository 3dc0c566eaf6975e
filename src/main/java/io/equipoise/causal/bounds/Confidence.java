package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.CellRule;

/**
 * States whether bounds are corrected for sampling.
 *
 * @param delta probability, over all arms and contexts together, that an end of any probability is
 *     wrong; 0 treats shares as probabilities
 */
public record Confidence(double delta) {
  /** The usual level: 95 % for the whole table together. */
  public static final Confidence DEFAULT = new Confidence(0.05);

  /** Treats shares as probabilities: correct for exact tables, too narrow for samples. */
  public static final Confidence NONE = new Confidence(0);

  public Confidence {
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta is " + delta + ", must be from 0 to below 1");
    }
  }

  public boolean isCorrected() {
    return delta > 0;
  }

  /** Returns the rule for a table of bounds with so many distinct cells (Bonferroni). */
  CellRule rule(int cells, CellRules rules) {
    return rules.at(isCorrected() ? delta / Math.max(1, cells) : 0);
  }
}
