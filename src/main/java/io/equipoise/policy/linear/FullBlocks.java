package io.equipoise.policy.linear;

import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.linear.LinearFairness.GroupBalance;
import io.equipoise.policy.linear.LinearFairness.Limited;
import org.jspecify.annotations.Nullable;

/**
 * What a segment's blocks of a linear policy weigh, with their keys, once every arm has learned: an
 * arm that has not takes almost no memory. Windows are taken to be full with a reward a round.
 */
final class FullBlocks {
  private final LinearRule policy;
  private final RidgeModel model;
  private final int copies;
  private final @Nullable ContrastPlan contrasts;

  /**
   * Prepares the sizes.
   *
   * @param isSplit whether the regression of complete rows may be one beside that of all
   * @param contrasts those of the spec; null if none are kept
   */
  FullBlocks(LinearRule policy, boolean isSplit, @Nullable ContrastPlan contrasts) {
    this.policy = policy;
    this.contrasts = contrasts;
    model = policy.model();
    copies = isSplit ? 2 : 1;
  }

  /** Returns the bytes for so many arms, among which the rounds of a window are divided. */
  double bytes(int arms) {
    double ridges = policy.isShared() ? 1 : arms;
    double bytes = copies * (ridges * (Long.BYTES + model.learnedBytes()) + rewards());
    bytes += ridges * (contrasts() + counts());
    bytes += contrasts == null || policy.isShared() ? 0 : DeltaShares.KEYED_BYTES;
    if (hasGroups()) {
      bytes += (arms + 1) * keyed(means()) + 2 * groupRewards();
    }
    if (policy.earns()) {
      bytes += Long.BYTES + (double) EarnState.byteLength(arms);
    }
    return bytes + (hasState() ? keyed(new PolicyState()) : 0);
  }

  /** Returns the bytes that one more arm adds, at most: it may have had all rounds of a window. */
  double bytesOfOneMore() {
    double ridge = policy.isShared() ? 0 : copies * (Long.BYTES + model.learnedBytes() + rewards());
    return ridge
        + (policy.isShared() ? 0 : contrasts() + counts())
        + (policy.earns() ? EarnState.byteLength(1) - EarnState.byteLength(0) : 0)
        + (hasGroups() ? keyed(means()) + groupRewards() : 0);
  }

  /** Returns the bytes by which the regression of all rows counts rewards. */
  private double counts() {
    return policy.countsRewards() ? RidgeRegression.COUNTS_BYTES : 0;
  }

  private double contrasts() {
    return contrasts == null
        ? 0
        : Long.BYTES + (double) ContrastBlock.byteLength(contrasts.known(), model.dimension());
  }

  private double rewards() {
    return (double) model.forgetting().rounds() * ObservationWindow.bytesOfOne(model.dimension());
  }

  private double groupRewards() {
    return (double) policy.groupForgetting().rounds() * ObservationWindow.bytesOfOne(1);
  }

  private boolean hasGroups() {
    return policy.groupValues() > 0;
  }

  private GroupMeans means() {
    return policy.newGroups();
  }

  /** Says whether anything of the policy moves with its decisions or rewards. */
  private boolean hasState() {
    return Limited.isCharging(policy.fairness())
        || (policy.fairness() instanceof GroupBalance balance
            && balance.gamma() instanceof Gamma.Adaptive);
  }

  private static double keyed(StateBlock stateBlock) {
    return Long.BYTES + (double) stateBlock.byteLength();
  }
}
