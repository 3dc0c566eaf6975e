package io.equipoise.policy;

import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.fairness.AuditFinding;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records which arm was chosen for a context, and why.
 *
 * @param index the score that the rule compared: mean + width, clipped into causal bounds if any
 * @param mean the sample mean of the model; cells without an observation count as 0
 * @param width index - mean; negative where a causal bound lies below the mean
 * @param draws how many draws ESTIMATED propensities are shares of, the one that decided included;
 *     0 where they are known
 * @param propensities one for each arm of the catalog; the record owns the array
 * @param certified whether every effect of the arm is certified to be within tau; for a policy
 *     without a constraint too
 * @param fairSetSize how many arms are certified; -1 if the policy has no constraint
 * @param excluded the arm with the best index among those that were left for their effects, if it
 *     is better than that of the arm played; null without such an arm, so also where exploration
 *     drew from all arms and put another in the place of the rule's
 * @param explored whether exploration put the arm in the place of the rule's
 */
@SuppressWarnings("ArrayRecordComponent") // equal by content
public record Choice(
    int arm,
    DecisionReason reason,
    double index,
    double mean,
    double width,
    PropensityKind propensityKind,
    int draws,
    double[] propensities,
    boolean certified,
    int fairSetSize,
    @Nullable ExcludedArm excluded,
    boolean explored) {
  /** Of the sum of the propensities, for rounding. */
  private static final double TOLERANCE = 1e-6;

  /**
   * Refuses a choice that no log can be learned from.
   *
   * @throws IllegalStateException unless the arm is a candidate with a propensity above 0, each of
   *     the candidates has a propensity, and these are a distribution
   */
  public void requireSound(int candidates) {
    double sum = 0;
    double least = 0;
    for (double propensity : propensities) {
      sum += propensity;
      least = Math.min(least, propensity);
    }
    if (arm < 0 || arm >= candidates || propensities.length != candidates) {
      throw new IllegalStateException(
          "arm %d and %d propensities of %d candidates"
              .formatted(arm, propensities.length, candidates));
    }
    if (!(least >= 0 && Math.abs(sum - 1) <= TOLERANCE && propensities[arm] > 0)) {
      throw new IllegalStateException(
          "propensities that are no distribution with a share of arm %d: %s"
              .formatted(arm, Arrays.toString(propensities)));
    }
  }

  /** Returns whether every effect that an audit found is certified. */
  public static boolean isCertified(List<AuditFinding> findings) {
    boolean isCertified = true;
    for (AuditFinding found : findings) {
      isCertified &= found.verdict() == AuditVerdict.CERTIFIED_FAIR;
    }
    return isCertified;
  }

  /** Returns the choice, certified as the audit found it. */
  public Choice certifiedBy(List<AuditFinding> findings) {
    return new Choice(
        arm,
        reason,
        index,
        mean,
        width,
        propensityKind,
        draws,
        propensities,
        isCertified(findings),
        fairSetSize,
        excluded,
        explored);
  }

  /** Returns the choice with another reason. */
  public Choice because(DecisionReason reason) {
    return new Choice(
        arm,
        reason,
        index,
        mean,
        width,
        propensityKind,
        draws,
        propensities,
        certified,
        fairSetSize,
        excluded,
        explored);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Choice choice && fields().equals(choice.fields());
  }

  @Override
  public int hashCode() {
    return fields().hashCode();
  }

  @Override
  public String toString() {
    return "Choice" + fields();
  }

  private List<Object> fields() {
    return Arrays.asList(
        arm,
        reason,
        index,
        mean,
        width,
        propensityKind,
        draws,
        Arrays.toString(propensities),
        certified,
        fairSetSize,
        excluded,
        explored);
  }
}
