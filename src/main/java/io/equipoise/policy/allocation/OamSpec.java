package io.equipoise.policy.allocation;

import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.PolicySpec.FamilySpec;
import io.equipoise.segmentspec.SegmentSpec;
import org.jspecify.annotations.Nullable;

/**
 * Holds the settings of optimal allocation matching (Huang and Wu 2023, Algorithm 5).
 *
 * @param horizon n, the decisions that it plans for, at least 3
 * @param variance sigma^2 of one reward: of its sub-Gaussian scale by default
 * @param kappa factor of d log(d log n) in the confidence; 0 leaves it out
 * @param epsilon share of explored decisions below which an arm is pulled at once
 * @param ridge lambda of the audit's regression, which the choice does not use
 * @param thetaNorm bound of |theta| that the audit assumes; null where the spec states none
 * @param explore what is drawn in place of the planned arm, always over all
 */
public record OamSpec(
    FeatureMap features,
    long horizon,
    double variance,
    double kappa,
    double epsilon,
    double ridge,
    @Nullable Double thetaNorm,
    ExploreSpec explore)
    implements FamilySpec {
  /** Returns the settings of a spec whose policy is of this family. */
  public static OamSpec of(SegmentSpec spec) {
    return (OamSpec) spec.policy().family();
  }
}
