package io.equipoise.policy.constraint;

import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;

/**
 * Finds the greatest score among candidates that are visited cyclically from a start index: a later
 * one wins only by more than a tolerance. So ties go to the first one visited.
 */
public final class Scan {
  /**
   * Scores of cells and ridge models within this of the greatest are ties: sums of equal terms in
   * another order must not decide. In units of the reward.
   */
  public static final double TIE = 1e-9;

  /** By how much a later candidate's score must be larger to win. */
  public static final double STRICTLY = 1e-12;

  private Scan() {}

  /** Returns the candidate with the greatest score, or -1 if none is eligible. */
  public static int best(
      int candidates,
      int start,
      double tolerance,
      IntPredicate eligible,
      IntToDoubleFunction score) {
    int best = -1;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int visited = 0; visited < candidates; visited++) {
      int candidate = (start + visited) % candidates;
      if (!eligible.test(candidate)) {
        continue;
      }
      double value = score.applyAsDouble(candidate);
      if (Double.isNaN(value)) {
        throw new IllegalArgumentException("score of candidate " + candidate + " is not a number");
      }
      if (best < 0 || value > greatest + tolerance) {
        best = candidate;
        greatest = value;
      }
    }
    return best;
  }

  /** Returns the candidate with the greatest score of all. */
  public static int best(int candidates, int start, IntToDoubleFunction score) {
    return best(candidates, start, STRICTLY, candidate -> true, score);
  }
}
