package io.equipoise.causal.estimand;

/** Converts k rows of n to an estimate of a conditional probability. */
@FunctionalInterface
public interface CellRule {
  /** The share k / n; no value without rows. */
  CellRule SHARE =
      cell ->
          cell.rows() > 0
              ? new Estimate(cell.hits() / cell.rows(), cell.hits() / cell.rows(), cell.rows())
              : Estimate.UNSUPPORTED;

  /** Returns the estimate of one conditional probability. */
  Estimate of(Cell cell);

  /**
   * One conditional probability on data. Two cells are equal if probability and levels are.
   *
   * @param probability the conditional probability
   * @param code the joint value of all its variables, by name, mixed-radix
   * @param hits the weight of the rows with all of these values
   * @param rows the weight of the rows with the given values
   */
  record Cell(Probability probability, long code, double hits, double rows) {}
}
