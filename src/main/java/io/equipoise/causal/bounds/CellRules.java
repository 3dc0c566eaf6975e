package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.CellRule;

/** How cells of a table become estimates, at any error. */
@FunctionalInterface
public interface CellRules {
  /** Counts of rows: the shares, or at an error the intervals of Clopper and Pearson. */
  CellRules COUNTS = alpha -> alpha > 0 ? ClopperPearson.rule(alpha) : CellRule.SHARE;

  /** Returns the rule at a two-sided error of one cell; 0 takes shares for probabilities. */
  CellRule at(double alpha);
}
