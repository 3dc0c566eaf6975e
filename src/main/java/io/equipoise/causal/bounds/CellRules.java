package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.CellRule;

/** Converts cells of a table to estimates at a given error. */
@FunctionalInterface
public interface CellRules {
  /** Counts of rows: shares or, for a positive error, Clopper-Pearson intervals. */
  CellRules COUNTS = alpha -> alpha > 0 ? ClopperPearson.rule(alpha) : CellRule.SHARE;

  /** Returns the rule at a two-sided error of one cell; 0 treats shares as probabilities. */
  CellRule at(double alpha);
}
