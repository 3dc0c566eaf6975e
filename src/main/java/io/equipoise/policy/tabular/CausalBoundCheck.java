package io.equipoise.policy.tabular;

import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Refutation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Holds causal bounds against what was observed. The confidence intervals of all cells of a model
 * hold at once and at all times but with probability delta, and so do those of all E[R | x, a]:
 * however often it is asked, a table of bounds that hold is refuted with probability at most delta.
 */
final class CausalBoundCheck {
  /** Sums of rounded terms must not refute, in units of the range of rewards. */
  private static final double TOLERANCE = 1e-9;

  private final TabularModel model;
  private final SharedConfidence<ConfidenceSequence> confidence;
  private final double slack;

  /** Checks at the level that the confidence sequence has over all cells together. */
  CausalBoundCheck(TabularModel model, SharedConfidence<ConfidenceSequence> confidence) {
    this.model = model;
    this.confidence = confidence;
    this.slack = TOLERANCE * (confidence.first.high() - confidence.first.low());
  }

  /** Returns the rows about a context that are refuted and were not known to be, by arm. */
  List<Refutation> refuted(
      ModelState modelState,
      int[] context,
      long t,
      int arms,
      CausalBoundTable table,
      BitSet known) {
    List<Refutation> refuted = new ArrayList<>();
    CellLimits limits = model.limits(modelState, context, t, confidence.of(modelState));
    for (int arm = 0; arm < arms; arm++) {
      int row = table.row(arm, context);
      if (row >= 0 && !known.get(row)) {
        Refutation found = model.interval(modelState, limits, context, row, arm);
        if (found.upper() < table.lower(row) - slack || found.lower() > table.upper(row) + slack) {
          refuted.add(found);
        }
      }
    }
    return refuted;
  }
}
