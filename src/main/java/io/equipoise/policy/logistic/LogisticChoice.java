package io.equipoise.policy.logistic;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.constraint.OverlapDeficit;
import org.jspecify.annotations.Nullable;

/**
 * Records what was chosen for a request, why, and what follows for the state.
 *
 * @param candidate index within the request
 * @param score what the rule compared
 * @param mean estimated mean reward
 * @param optimistic optimistic mean reward of every candidate, by the policy's radius; for glm-ucb
 *     the index, which may exceed 1
 * @param b2 the policy's squared radius
 * @param phiBefore dual variables before the decision, one for each constraint
 * @param phiAfter and after it
 * @param allowed how many candidates the rule allowed; -1 if all by design
 * @param base what was chosen but for exploration
 * @param need of forced exploration; 0 but for forced-exploration
 * @param nextNeed what forced-exploration remembers after the decision; null for the others
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
public record LogisticChoice(
    int candidate,
    DecisionReason reason,
    double score,
    double mean,
    double[] optimistic,
    double b2,
    double[] phiBefore,
    double[] phiAfter,
    int allowed,
    int base,
    double need,
    @Nullable OverlapDeficit nextNeed) {
  /** Returns whether the choice is forced exploration. */
  public boolean explored() {
    return candidate != base;
  }

  /** Returns the optimistic value less the mean of what was chosen. */
  public double width() {
    return optimistic[candidate] - mean;
  }
}
