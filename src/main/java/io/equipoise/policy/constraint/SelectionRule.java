package io.equipoise.policy.constraint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects a candidate of a request under a fairness constraint, from the scores of a reward model.
 *
 * <p>Logistic policies select by {@link #select}. Policies over cells break ties by a seed, and
 * policies over ridge regressions allocate nothing at a decision, so these two score and pick
 * themselves; they take limits, slack and penalty from here.
 */
public sealed interface SelectionRule permits Lagrangian, HardConstraint, ShrinkingScreen {
  /**
   * Selects; pure.
   *
   * @param duals state before this decision
   * @param start where the scan begins, so that it decides ties
   */
  Selection select(CandidateScores candidateScores, DualBlock duals, int start);

  List<EffectLimit> limits();

  /**
   * Returns by how much the upper end of an allowed effect may exceed its limit at the t-th
   * decision, t at least 1: infinity where every candidate is allowed.
   */
  double slack(long t);

  /** Returns what effects are charged; null if they are not. */
  @Nullable DualPenalty penalty();
}
