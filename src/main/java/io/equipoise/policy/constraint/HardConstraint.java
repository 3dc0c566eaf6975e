package io.equipoise.policy.constraint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the greatest optimistic value among the candidates whose every effect is certified to be
 * within its limit, high <= tau - eps (F-UCB: Huang et al. 2022, Algorithm 2); without one, the
 * candidate that exceeds its limits by least, of those that are not known to exceed tau. Ridge
 * policies use its limits only: {@code EffectRule} selects for them.
 *
 * @param limits one for each constraint
 */
public record HardConstraint(List<EffectLimit> limits) implements SelectionRule {
  public HardConstraint {
    limits = List.copyOf(limits);
  }

  @Override
  public Selection select(CandidateScores candidateScores, DualBlock duals, int start) {
    Excess excess = new Excess(limits);
    return excess.select(candidateScores, start, 0, candidateScores::optimistic);
  }

  @Override
  public double slack(long t) {
    return 0;
  }

  @Override
  public @Nullable DualPenalty penalty() {
    return null;
  }
}
