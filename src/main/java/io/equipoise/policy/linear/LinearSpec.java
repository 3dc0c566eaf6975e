package io.equipoise.policy.linear;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.policy.constraint.Constraint;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.FeatureMap;
import io.equipoise.segmentspec.Forget;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.PolicySpec.FamilySpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the settings of a policy with linear rewards.
 *
 * @param isShared whether one theta serves all arms, else each has its own
 * @param ridge lambda, the weight of the prior
 * @param alpha of the index
 * @param thetaNorm bound of |theta| that the self-normalized bound assumes
 * @param groups of {@code fair-linucb}, else null
 * @param dropped variables that the policy must not see, of {@code linucb-unaware}; else empty
 * @param sampleScale widths that a posterior sample spreads, of {@code lin-ts}
 * @param draws posterior draws that propensities are estimated from
 * @param constraint how effects restrict the choice
 * @param epsilon what a price on effects aims below tau; 0 without one
 * @param warmStart of {@code linucb-cp} and {@code linucb-biased}, else null
 */
public record LinearSpec(
    FeatureMap features,
    boolean isShared,
    double ridge,
    Alpha alpha,
    @Nullable Double thetaNorm,
    Forget forget,
    @Nullable GroupSpec groups,
    List<String> dropped,
    double sampleScale,
    int draws,
    Constraint constraint,
    double epsilon,
    ExploreSpec explore,
    @Nullable WarmStart warmStart)
    implements FamilySpec {
  /** Copies the list. */
  public LinearSpec {
    dropped = List.copyOf(dropped);
  }

  @Override
  public Set<AuditEffectKind> kinds() {
    return Set.of(AuditEffectKind.DIRECT);
  }

  /** Returns the settings of a spec whose policy is of this family. */
  public static LinearSpec of(SegmentSpec spec) {
    return (LinearSpec) spec.policy().family();
  }

  /**
   * Identifies the meaning of a price, or of the means of groups. Equal ones let them go on; index
   * and exploration do not count, and limits do not where nothing is limited.
   *
   * @param groups null where none are balanced
   * @param tau what limits aim at, less epsilon; 0 without a constraint
   * @param intersections whether joint effects are limited
   */
  record AttributeMeaning(
      PolicyName policy,
      Constraint constraint,
      @Nullable Groups groups,
      double tau,
      boolean intersections) {

    /** Sets whose rewards are compared and how they are forgotten; gamma only follows from that. */
    record Groups(
        List<String> attributes,
        Set<List<String>> privileged,
        Set<List<String>> shielded,
        Forget forget) {}

    static AttributeMeaning of(SegmentSpec spec) {
      LinearSpec linear = linear(spec);
      boolean isLimited = linear.constraint() != Constraint.NONE;
      return new AttributeMeaning(
          spec.policy().name(),
          linear.constraint(),
          groups(linear.groups()),
          isLimited ? spec.fairness().tau() - linear.epsilon() : 0,
          isLimited && spec.fairness().intersections());
    }

    /** Returns whether a debt that one spec ran up means the same under the other. */
    static boolean isOfOneGamma(SegmentSpec one, SegmentSpec other) {
      return Double.compare(gamma(one), gamma(other)) == 0;
    }

    private static double gamma(SegmentSpec spec) {
      GroupSpec groups = linear(spec).groups();
      return groups == null ? 0 : groups.gamma();
    }

    private static LinearSpec linear(SegmentSpec spec) {
      return LinearSpec.of(spec);
    }

    private static @Nullable Groups groups(@Nullable GroupSpec groups) {
      return groups == null
          ? null
          : new Groups(
              groups.attributes(),
              Set.copyOf(groups.privileged()),
              Set.copyOf(groups.protectedLevels()),
              groups.forget());
    }
  }
}
