package io.equipoise.offline.bounds;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.bounds.BoundPlan;
import io.equipoise.causal.bounds.CellRules;
import io.equipoise.causal.bounds.ClopperPearson;
import io.equipoise.causal.bounds.EmpiricalBernstein;
import io.equipoise.causal.estimand.CellRule;
import io.equipoise.causal.estimand.CellRule.Cell;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.causal.estimand.Estimate;
import io.equipoise.causal.estimand.Probability;
import io.equipoise.offline.count.CountLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates cells for a reward that is a number in a range. The mean of Y as a share of its range
 * replaces P(Y = 1 | .) of a binary reward. Its error is the half-width of the empirical Bernstein
 * bound (docs/math/causal-bounds.md#sampling). Probabilities without the reward use counts as
 * usual.
 */
final class MeanRules implements CellRules {
  /** Shares of a range are rounded to a unit. */
  private static final double ROUNDING = 0.5 / CountLayout.UNIT;

  private final String reward;
  private final List<ContingencyTable> squares;
  private final boolean isSelected;
  private final Map<Probability, ContingencyTable> marginals = new HashMap<>();

  /**
   * @param isSelected whether the rows of the log are selected; other rows are of a census, which
   *     has no reward and counts rows
   */
  MeanRules(String reward, List<ContingencyTable> squares, boolean isSelected) {
    this.reward = reward;
    this.squares = squares;
    this.isSelected = isSelected;
  }

  /** Rejects a plan that uses the reward other than as a mean. */
  static void check(BoundPlan plan, String reward) {
    for (Probability probability : plan.probabilities()) {
      if (probability.given().contains(reward)) {
        throw new DistributionException(
            "the bounds need " + probability.toText() + ", which requires a binary reward");
      }
    }
  }

  @Override
  public CellRule at(double alpha) {
    return cell -> estimate(cell, alpha);
  }

  private Estimate estimate(Cell cell, double alpha) {
    double unit = cell.probability().isSelected() == isSelected ? CountLayout.UNIT : 1;
    double n = cell.rows() / unit;
    boolean isMean = cell.probability().of().contains(reward);
    if (n == 0) {
      return alpha > 0 ? Estimate.VACUOUS : Estimate.UNSUPPORTED;
    }
    if (alpha > 0 && !isMean) {
      return ClopperPearson.rule(alpha)
          .of(new Cell(cell.probability(), cell.code(), cell.hits() / unit, n));
    }
    double mean = cell.hits() / cell.rows();
    if (alpha == 0) {
      return new Estimate(mean, mean, n);
    }
    ContingencyTable table = marginals.computeIfAbsent(cell.probability(), this::marginal);
    double meanSquare = table.weight(cell.code()) / cell.rows();
    double reach = EmpiricalBernstein.reach(n, mean, meanSquare, alpha) + ROUNDING;
    return new Estimate(Math.max(0, mean - reach), Math.min(1, mean + reach), n);
  }

  private ContingencyTable marginal(Probability probability) {
    for (ContingencyTable table : squares) {
      if (table.holds(probability.free())) {
        return table.marginal(List.copyOf(probability.free()));
      }
    }
    throw new IllegalStateException("squares over " + probability.free() + " were not counted");
  }
}
