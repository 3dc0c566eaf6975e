package io.equipoise.policy.constraint;

import java.util.List;

/**
 * Allows a candidate whose effects may be fair and whose upper ends exceed their limits by at most
 * a slack. The slack shrinks like t^(-1/3). Selects among the allowed candidates by the penalized
 * optimistic value (docs/math/logistic.md#rules-of-choice).
 *
 * <p>While the intervals hold, an allowed decision exceeds its limit by at most the slack, so the
 * excesses of t decisions add up to at most 1.5 width t^(2/3), but for those without any allowed.
 *
 * @param width slack of the first decision, on the reward's scale
 */
public record ShrinkingScreen(DualPenalty penalty, double width) implements SelectionRule {
  /** The default width, as a share of the range of rewards. */
  public static final double WIDTH = 0.5;

  public ShrinkingScreen {
    if (!(width >= 0 && width < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the screen's width must be 0 or more, but is " + width);
    }
  }

  @Override
  public List<EffectLimit> limits() {
    return penalty.limits();
  }

  /** Returns the slack of the t-th decision, width t^(-1/3). */
  @Override
  public double slack(long t) {
    return width / StrictMath.cbrt((double) t);
  }

  /** Selects the candidates that the next decision admits. */
  public boolean[] allowed(CandidateScores candidateScores, DualBlock duals) {
    double slack = slack(duals.decisions() + 1);
    boolean[] isAllowed = new boolean[candidateScores.candidates()];
    for (int candidate = 0; candidate < isAllowed.length; candidate++) {
      isAllowed[candidate] = excess().isAllowed(candidateScores, candidate, slack);
    }
    return isAllowed;
  }

  @Override
  public Selection select(CandidateScores candidateScores, DualBlock duals, int start) {
    double slack = slack(duals.decisions() + 1);
    return excess()
        .select(
            candidateScores,
            start,
            slack,
            candidate ->
                candidateScores.optimistic(candidate)
                    - penalty.charge(candidateScores, duals, candidate));
  }

  /**
   * Returns the candidate that would be preferred to the base if more were known of its effect: the
   * one with the greatest excess of an upper end, or -1 if there is none. The lowest index wins.
   */
  public int wanted(CandidateScores candidateScores, DualBlock duals, int base) {
    double slack = slack(duals.decisions() + 1);
    Excess excess = excess();
    int wanted = -1;
    for (int candidate = 0; candidate < candidateScores.candidates(); candidate++) {
      boolean isWanted =
          candidate != base
              && excess.mayBeFair(candidateScores, candidate)
              && excess.high(candidateScores, candidate) > slack
              && candidateScores.optimistic(candidate)
                  > candidateScores.optimistic(base) + Scan.TIE;
      if (isWanted
          && (wanted < 0
              || excess.high(candidateScores, candidate) > excess.high(candidateScores, wanted))) {
        wanted = candidate;
      }
    }
    return wanted;
  }

  /** Returns the constraint that a candidate's upper ends exceed most. */
  public int worst(CandidateScores candidateScores, int candidate) {
    return excess().worst(candidateScores, candidate);
  }

  /** Returns whether no effect of a candidate is known to exceed its limit. */
  public boolean mayBeFair(CandidateScores candidateScores, int candidate) {
    return excess().mayBeFair(candidateScores, candidate);
  }

  private Excess excess() {
    return new Excess(penalty.limits());
  }
}
